import { once } from 'node:events';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { createClient as createSseClient } from 'graphql-sse';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sandboxKey, type TestApp } from '../support/app.ts';
import {
  megabyte,
  openStuckRequest,
  openStuckSocket,
  sendBigReply,
  type SoFar,
  startBigReply,
  takeTurns,
  textOf,
} from '../support/big-reply.ts';
import { heldBytes } from '../support/held-bytes.ts';
import { createManualClock } from '../support/manual-clock.ts';
import type { RawSocket } from '../support/raw-socket.ts';
import { words } from '../support/scripted-gateway.ts';

type Results = AsyncIterable<{ readonly data?: SoFar | null | undefined }>;

/** A stock client that reads nothing from its first connection until `resume()`. */
interface Stalled {
  readonly results: Results;
  readonly connections: number;
  resume(): void;
}

interface Stuck {
  /** Reads everything. Resolves to whether the server closed it before it had a text with this end. */
  wasEvicted(textEnd: string): Promise<boolean>;
  /** Whether its connection is closed. */
  isClosed(): boolean;
  leave(): void;
}

interface TransportUnderTest {
  read(app: TestApp, query: string): Results;
  openStalled(app: TestApp, query: string): Stalled;
  openStuck(app: TestApp, query: string): Promise<Stuck>;
}

const webSocket: TransportUnderTest = {
  read: (app, query) => app.wsClient().iterate<SoFar>({ query }),
  openStalled(app, query) {
    const sockets: { pause(): void; resume(): void }[] = [];
    const client = app.wsClient({
      retryAttempts: 5,
      retryWait: () => Promise.resolve(),
      on: {
        connected(opened) {
          const socket = opened as (typeof sockets)[number]; // As `app.wsClient` has it made.
          if (sockets.length === 0) socket.pause();
          sockets.push(socket);
        },
      },
    });
    return {
      results: client.iterate<SoFar>({ query }),
      get connections() {
        return sockets.length;
      },
      resume: () => sockets[0]?.resume(),
    };
  },
  async openStuck(app, query) {
    const socket = await openStuckSocket(app, [query]);
    let isClosed = false;
    void socket.closed.then(() => (isClosed = true));
    return {
      isClosed: () => isClosed,
      async wasEvicted(textEnd) {
        socket.resume();
        const closed = socket.closed.then(({ code }) => {
          // Stock clients retry after this code.
          expect(code).toBe(1006);
          return true;
        });
        const caughtUp = socket.inbox.when((all) => {
          const { type, payload } = all.at(-1) ?? {};
          return type === 'next' && textOf(payload as { data: SoFar }).endsWith(textEnd);
        });
        return Promise.race([closed, caughtUp.then(() => false)]);
      },
      leave: () => socket.terminate(),
    };
  },
};

/** Reads much faster than a stock client, which parses byte by byte. */
async function* readEvents({ url }: TestApp, query: string): AsyncGenerator<{ readonly data: SoFar }> {
  const headers = { ...sandboxKey, 'content-type': 'application/json', accept: 'text/event-stream' };
  const { body } = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  if (!body) throw new Error('The reply has no body');
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { event, data } of events)
    if (event === 'next') yield JSON.parse(data) as { readonly data: SoFar }; // The selection of the query.
}

const serverSentEvents: TransportUnderTest = {
  read: readEvents,
  openStalled(app, query) {
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
    let connections = 0;
    /** Passes on whole events: with each piece, the stock client copies all that it has of an event. */
    const holdBack = (): TransformStream<Uint8Array, Uint8Array> => {
      let pieces: Uint8Array[] = [];
      const transform: Transformer<Uint8Array, Uint8Array>['transform'] = async (piece, controller) => {
        await resumed;
        pieces.push(piece);
        if (piece.at(-1) !== 10) return;
        controller.enqueue(Buffer.concat(pieces));
        pieces = [];
      };
      return new TransformStream({ transform }, { highWaterMark: 1 }, { highWaterMark: 0 });
    };
    const client = createSseClient({
      url: app.url,
      headers: sandboxKey,
      retryAttempts: 5,
      retry: () => Promise.resolve(),
      async fetchFn(input: string, init: RequestInit) {
        const response = await fetch(input, init);
        connections += 1;
        return response.body ? new Response(response.body.pipeThrough(holdBack()), response) : response;
      },
    });
    onTestFinished(() => client.dispose());
    return {
      results: client.iterate<SoFar>({ query }) as Results,
      get connections() {
        return connections;
      },
      resume,
    };
  },
  async openStuck(app, query) {
    const socket = openStuckRequest(app, query, 'text/event-stream');
    await once(socket, 'connect');
    return {
      isClosed: () => socket.closed,
      async wasEvicted(textEnd) {
        let tail = '';
        const { promise, resolve } = Promise.withResolvers<boolean>();
        socket.on('data', (piece: Buffer) => {
          tail = tail.slice(-textEnd.length) + piece.toString('latin1');
          if (tail.includes(textEnd)) resolve(false);
        });
        socket.once('close', () => resolve(true));
        socket.resume();
        return promise;
      },
      leave: () => void socket.destroy(),
    };
  },
};

const maxBytes = 64 * megabyte;
/** Clients that do not read. Each would hold 10 MB. */
const stuckCount = 10;

describe.each([
  ['WebSockets', webSocket],
  ['server-sent events', serverSentEvents],
])('clients that do not read, over %s,', (_name, transport) => {
  test('hold at most MAX_UNSENT_BYTES together; readers stay, and clients that reconnect get everything', async () => {
    const clientClock = createManualClock();
    let evicted = 0;
    await using reply = await startBigReply({
      env: { MAX_UNSENT_BYTES: String(maxBytes), WEBSOCKET_PING_SECONDS: '600' },
      onLog: ({ msg }) => {
        if (String(msg).startsWith('disconnected a slow client')) evicted += 1;
      },
      overrides: { clientClock },
    });
    const { app, exchange, query } = reply;
    const { activity } = app.app;
    let text = reply.text;
    const grow = (word: string): void => {
      text += word;
      exchange.send(...words(word));
    };
    const lastOf = async (results: Results, onText?: (text: string) => void): Promise<string> => {
      let last = '';
      for await (const result of results) {
        last = textOf(result);
        onText?.(last);
      }
      return last;
    };
    let readLength = 0;
    const reading = lastOf(transport.read(app, query), ({ length }) => (readLength = length));
    const readAll = async (): Promise<void> => {
      while (readLength < text.length) await takeTurns(app, 1);
    };
    await readAll();
    const stalled = transport.openStalled(app, query);
    let healedLength = 0;
    const healing = lastOf(stalled.results, ({ length }) => (healedLength = length));
    while (activity.watchers < 2) await takeTurns(app, 1);
    /** Nothing is on its way, and the buffers of the system are full: what they take later would look as if the client read. */
    const settle = async (): Promise<void> => {
      for (let unsent = -1; unsent !== activity.unsentBytes || unsent === 0; await takeTurns(app))
        unsent = activity.unsentBytes;
    };
    await settle();

    const before = await heldBytes();
    const stuck: Stuck[] = [];
    for (let index = 0; index < stuckCount; index += 1) {
      stuck.push(await transport.openStuck(app, query));
      await takeTurns(app);
      // Long enough for the server to see that it reads nothing.
      clientClock.advance(1500);
      if (index % 5 !== 4) continue;
      grow(`And ${index} more. `);
      await readAll();
    }
    await settle();
    const held = (await heldBytes()) - before;
    console.log(
      `${(held / megabyte).toFixed(0)} MB held for ${stuckCount} that do not read, ${evicted} were evicted`,
    );
    expect(held).toBeLessThan(maxBytes + 16 * megabyte);
    expect(activity.unsentBytes).toBeLessThanOrEqual(maxBytes);

    stalled.resume();
    const ends = await Promise.all(stuck.map((each) => each.wasEvicted(`And ${stuckCount - 1} more. `)));
    while (healedLength < text.length) await takeTurns(app, 1);
    // The stalled client, which came first, is one more. An evicted client can have the whole text before it sees the close.
    expect(evicted).toBeGreaterThanOrEqual(ends.filter(Boolean).length + 1);
    await expect.poll(() => evicted - stuck.filter((each) => each.isClosed()).length).toBe(1);
    // The limit has room for six.
    expect(evicted).toBeGreaterThan(stuckCount - 6);
    for (const each of stuck) each.leave();
    while (activity.watchers !== 2) await takeTurns(app, 1);
    grow('The end.');
    exchange.send('[DONE]');
    // A failed `toEqual` would print both texts.
    expect((await reading) === text).toBe(true);
    expect((await healing) === text).toBe(true);
    expect(stalled.connections).toBe(2);
    expect(reply.gateway.requests).toHaveLength(1);
    await expect.poll(() => activity.unsentBytes).toBe(0);
  }, 120_000);
});

test('unread replies in JSON count as well, and release everything once they are read', async () => {
  let evicted = 0;
  await using reply = await startBigReply({
    env: { MAX_UNSENT_BYTES: String(maxBytes) },
    onLog: ({ msg }) => {
      if (String(msg).startsWith('disconnected a slow client')) evicted += 1;
    },
  });
  const { app, id } = reply;
  const query = `{ generation(by: { id: "${id}" }) { output { ... on ChatCompletion { choices { message { content } } } } } }`;
  const before = await heldBytes();
  const sockets = Array.from({ length: stuckCount }, () => openStuckRequest(app, query, 'application/json'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  // Every reply was written: the limit has room for six.
  while (evicted < sockets.length - 6) await takeTurns(app, 1);
  const held = (await heldBytes()) - before;
  console.log(`${(held / megabyte).toFixed(0)} MB held for ${stuckCount} replies in JSON`);
  expect(held).toBeLessThan(maxBytes + 16 * megabyte);
  expect(app.app.activity.unsentBytes).toBeGreaterThan(0);
  expect(app.app.activity.unsentBytes).toBeLessThanOrEqual(maxBytes);
  for (const socket of sockets) socket.resume();
  await expect.poll(() => app.app.activity.unsentBytes).toBe(0);
}, 120_000);

test('a client that reads slowly stays, however long its event takes, and clients that take nothing are evicted', async () => {
  const clientClock = createManualClock();
  await using reply = await startBigReply({
    env: { MAX_UNSENT_BYTES: String(maxBytes), WEBSOCKET_PING_SECONDS: '600' },
    overrides: { clientClock },
  });
  const { app, query } = reply;
  const slow = openStuckRequest(app, query, 'text/event-stream');
  let received = 0;
  const read = async (bytes: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const take = (piece: Buffer): void => {
      received += piece.length;
      if (received >= bytes) resolve();
    };
    slow.on('data', take).resume();
    await promise;
    slow.off('data', take).pause();
  };
  await read(1);
  const openStuck = async (): Promise<void> => {
    await openStuckSocket(app, [query]);
    await takeTurns(app, 10);
    clientClock.advance(1500);
  };
  for (let index = 0; index < 5; index += 1) await openStuck();
  expect(app.app.activity.sockets).toBe(5);
  for (const bytes of [1.5, 3]) {
    await read(bytes * megabyte);
    await openStuck();
    expect(app.app.activity.sockets).toBe(5);
  }
  await read(10 * megabyte);
}, 120_000);

test('an owner above its limit loses its own connections, and other owners keep theirs', async () => {
  const clientClock = createManualClock();
  const warnings: unknown[] = [];
  await using reply = await startBigReply({
    env: {
      MAX_UNSENT_BYTES: String(maxBytes),
      MAX_UNSENT_BYTES_PER_OWNER: String(maxBytes / 2),
      WEBSOCKET_PING_SECONDS: '600',
    },
    onLog: ({ level, msg }) => {
      if (Number(level) >= 40) warnings.push(msg);
    },
    overrides: { clientClock },
  });
  const { app } = reply;
  const { activity } = app.app;
  const other = { ...sandboxKey, 'x-end-user': 'other' };
  const open = async (query: string, headers = sandboxKey): Promise<RawSocket> => {
    const socket = await openStuckSocket(app, [query], headers);
    await takeTurns(app, 10);
    clientClock.advance(1500);
    return socket;
  };
  // The worst connection of the process: it has read nothing for the longest time.
  const victim = await open((await sendBigReply(reply, other)).query, other);
  let isVictimClosed = false;
  void victim.closed.then(() => (isVictimClosed = true));
  for (let index = 0; index < 6; index += 1) await open(reply.query);
  for (let index = 0; index < 6; index += 1) {
    openStuckRequest(app, reply.query, 'text/event-stream');
    await takeTurns(app, 5);
    clientClock.advance(1500);
  }
  expect(new Set(warnings)).toEqual(
    new Set(['disconnected a slow client: the send buffers exceed MAX_UNSENT_BYTES_PER_OWNER']),
  );
  expect(warnings.length).toBeGreaterThan(6);
  expect(activity.unsentBytes).toBeLessThan(maxBytes / 2 + 11 * megabyte);
  victim.resume();
  await victim.waitForMessage('0');
  expect(isVictimClosed).toBe(false);
}, 120_000);

test('operations of one socket that does not read buffer one big event at a time', async () => {
  await using reply = await startBigReply({ env: { MAX_UNSENT_BYTES: String(maxBytes) } });
  const { app, exchange, query } = reply;
  const { activity } = app.app;
  const ids = Array.from({ length: 4 }, (_, index) => String(index));
  const socket = await openStuckSocket(
    app,
    ids.map(() => query),
  );
  while (activity.watchers < ids.length) await takeTurns(app, 1);
  exchange.send(...words('And more.'));
  while (activity.unsentBytes <= 5 * megabyte) await takeTurns(app, 1);
  await takeTurns(app);
  expect(activity.unsentBytes).toBeLessThan(11 * megabyte);
  exchange.send('[DONE]');
  socket.resume();
  const all = await Promise.all(ids.map((id) => socket.waitForEnd(id)));
  const text = `${reply.text}And more.`;
  for (const messages of all) {
    const texts = messages.flatMap(({ payload }) => (payload ? [textOf(payload as { data: SoFar })] : []));
    expect(texts.at(-1) === text).toBe(true);
  }
  await expect.poll(() => activity.unsentBytes).toBe(0);
}, 120_000);

test('a socket that takes nothing of a big event is disconnected, though no ping can reach it', async () => {
  const clientClock = createManualClock();
  const lines: unknown[] = [];
  await using reply = await startBigReply({
    env: { WEBSOCKET_PING_SECONDS: '0.4' },
    onLog: ({ level, msg }) => {
      if (Number(level) >= 40) lines.push(msg);
    },
    overrides: { clientClock },
  });
  const { app, query } = reply;
  const { activity } = app.app;
  await openStuckSocket(app, [query]);
  while (activity.watchers < 1) await takeTurns(app, 1);
  while (activity.watchers > 0) {
    clientClock.advance(100);
    await takeTurns(app, 1);
  }
  expect(lines).toEqual(['disconnected a stalled client']);
  expect(activity.unsentBytes).toBe(0);
}, 120_000);

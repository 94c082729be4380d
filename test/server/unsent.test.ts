import { once } from 'node:events';
import { createClient as createSseClient } from 'graphql-sse';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sandboxKey, type TestApp } from '../support/app.ts';
import {
  megabyte,
  openStuckRequest,
  openStuckSocket,
  type SoFar,
  startBigReply,
  takeTurns,
  textOf,
} from '../support/big-reply.ts';
import { heldBytes } from '../support/held-bytes.ts';
import { words } from '../support/scripted-gateway.ts';

type Results = AsyncIterable<{ readonly data?: SoFar | null | undefined }>;

/** A stock client that does not read what its first connection brings until it is told to. */
interface Stalled {
  readonly results: Results;
  readonly connections: number;
  resume(): void;
}

interface Stuck {
  /** Reads what there is; resolves to whether the server has ended it before its first event was whole. */
  wasLetGo(): Promise<boolean>;
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
    return {
      async wasLetGo() {
        socket.resume();
        const closed = socket.closed.then(({ code }) => {
          // Stock clients retry after it.
          expect(code).toBe(1006);
          return true;
        });
        return Promise.race([closed, socket.whenHeard('0').then(() => false)]);
      },
      leave: () => socket.terminate(),
    };
  },
};

const serverSentEvents: TransportUnderTest = {
  read: (app, query) => app.sseClient().iterate<SoFar>({ query }) as Results,
  openStalled(app, query) {
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
    let connections = 0;
    const holdBack = new TransformStream<Uint8Array, Uint8Array>(
      {
        async transform(piece, controller) {
          await resumed;
          controller.enqueue(piece);
        },
      },
      { highWaterMark: 1 },
      { highWaterMark: 0 },
    );
    const client = createSseClient({
      url: app.url,
      headers: sandboxKey,
      retryAttempts: 5,
      retry: () => Promise.resolve(),
      async fetchFn(input: string, init: RequestInit) {
        const response = await fetch(input, init);
        connections += 1;
        if (connections > 1 || !response.body) return response;
        return new Response(response.body.pipeThrough(holdBack), response);
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
      async wasLetGo() {
        let received = 0;
        const { promise, resolve } = Promise.withResolvers<boolean>();
        socket.on('data', (piece: Buffer) => {
          received += piece.length;
          if (received > 10 * megabyte) resolve(false);
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

describe.each([
  ['WebSockets', webSocket],
  ['server-sent events', serverSentEvents],
])('clients that do not read, over %s,', (_name, transport) => {
  test('hold no more than MAX_UNSENT_BYTES together; who reads stays, and who comes back gets everything', async () => {
    let letGo = 0;
    await using reply = await startBigReply({
      env: { MAX_UNSENT_BYTES: String(maxBytes), WEBSOCKET_PING_SECONDS: '600' },
      onLog: ({ msg }) => {
        if (String(msg).startsWith('a client that does not keep up')) letGo += 1;
      },
    });
    const { app, exchange, query } = reply;
    const { activity } = app.app;
    let text = reply.text;
    const goOn = (word: string): void => {
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
    const whenRead = async (): Promise<void> => {
      while (readLength < text.length) await takeTurns(app, 1);
    };
    await whenRead();
    const stalled = transport.openStalled(app, query);
    const healing = lastOf(stalled.results);
    while (activity.watchers < 2) await takeTurns(app, 1);

    const before = await heldBytes();
    const stuck: Stuck[] = [];
    for (let index = 0; index < 40; index += 1) {
      stuck.push(await transport.openStuck(app, query));
      await takeTurns(app);
      if (index % 10 !== 9) continue;
      goOn(`And ${index} more. `);
      await whenRead();
    }
    const held = (await heldBytes()) - before;
    console.log(`${(held / megabyte).toFixed(0)} MB held for 40 that do not read, ${letGo} were let go of`);
    expect(held).toBeLessThan(maxBytes + 16 * megabyte);
    expect(activity.unsentBytes).toBeLessThanOrEqual(maxBytes);

    stalled.resume();
    const ends = await Promise.all(stuck.map((each) => each.wasLetGo()));
    // And the stalled one, which was there first.
    expect(letGo).toBe(ends.filter(Boolean).length + 1);
    expect(letGo).toBeGreaterThan(34);
    for (const each of stuck) each.leave();
    while (activity.watchers !== 2) await takeTurns(app, 1);
    goOn('The end.');
    exchange.send('[DONE]');
    // Not compared by the runner, which would print both.
    expect((await reading) === text).toBe(true);
    expect((await healing) === text).toBe(true);
    expect(stalled.connections).toBe(2);
    expect(reply.gateway.requests).toHaveLength(1);
    await expect.poll(() => activity.unsentBytes).toBe(0);
  }, 120_000);
});

test('replies in JSON that nobody reads count as well, and nothing is left of them once they are read', async () => {
  await using reply = await startBigReply({ env: { MAX_UNSENT_BYTES: String(maxBytes) } });
  const { app, id } = reply;
  const query = `{ generation(id: "${id}") { output { ... on ChatCompletion { choices { message { content } } } } } }`;
  const before = await heldBytes();
  const sockets = Array.from({ length: 40 }, () => openStuckRequest(app, query, 'application/json'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await takeTurns(app, 40);
  const held = (await heldBytes()) - before;
  console.log(`${(held / megabyte).toFixed(0)} MB held for 40 replies in JSON`);
  expect(held).toBeLessThan(maxBytes + 16 * megabyte);
  expect(app.app.activity.unsentBytes).toBeGreaterThan(0);
  for (const socket of sockets) socket.resume();
  await expect.poll(() => app.app.activity.unsentBytes).toBe(0);
}, 120_000);

test('a client that reads slowly is kept, however long its event takes, and those that take nothing go', async () => {
  await using reply = await startBigReply({
    env: { MAX_UNSENT_BYTES: String(maxBytes), WEBSOCKET_PING_SECONDS: '600' },
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
  };
  for (let index = 0; index < 5; index += 1) await openStuck();
  expect(app.app.activity.sockets).toBe(5);
  await read(2 * megabyte);
  await openStuck();
  expect(app.app.activity.sockets).toBe(5);
  await read(10 * megabyte);
}, 60_000);

test('operations of one socket that does not read do not have big events wait beside each other', async () => {
  await using reply = await startBigReply({ env: { MAX_UNSENT_BYTES: String(maxBytes) } });
  const { app, exchange, query } = reply;
  const { activity } = app.app;
  const ids = Array.from({ length: 10 }, (_, index) => String(index));
  const socket = await openStuckSocket(
    app,
    ids.map(() => query),
  );
  while (activity.watchers < ids.length) await takeTurns(app, 1);
  exchange.send(...words('And more.'));
  await takeTurns(app);
  expect(activity.unsentBytes).toBeGreaterThan(5 * megabyte);
  expect(activity.unsentBytes).toBeLessThan(11 * megabyte);
  exchange.send('[DONE]');
  socket.resume();
  const all = await Promise.all(ids.map((id) => socket.whenOver(id)));
  const text = `${reply.text}And more.`;
  for (const messages of all) {
    const texts = messages.flatMap(({ payload }) => (payload ? [textOf(payload as { data: SoFar })] : []));
    expect(texts.at(-1) === text).toBe(true);
  }
  await expect.poll(() => activity.unsentBytes).toBe(0);
}, 60_000);

test('a socket that takes nothing of a big event is let go of, though no ping can have reached it', async () => {
  const lines: unknown[] = [];
  await using reply = await startBigReply({
    env: { WEBSOCKET_PING_SECONDS: '0.4' },
    onLog: ({ level, msg }) => {
      if (Number(level) >= 40) lines.push(msg);
    },
  });
  const { app, query } = reply;
  const { activity } = app.app;
  await openStuckSocket(app, [query]);
  while (activity.watchers < 1) await takeTurns(app, 1);
  while (activity.watchers > 0) await takeTurns(app, 1);
  expect(lines).toEqual(['a client that takes nothing was let go of']);
  expect(activity.unsentBytes).toBe(0);
}, 30_000);

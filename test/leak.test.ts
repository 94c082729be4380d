import { randomUUID } from 'node:crypto';
import type { ExecutionResult } from 'graphql';
import { describe, expect, test } from 'vitest';
import { sandboxKey, startApp, type TestApp } from './support/app.ts';
import { ask, chatEvents, made, nextEvent, startChat as start } from './support/chats.ts';
import { openEventStream, postJson } from './support/http.ts';
import { createManualClock } from './support/manual-clock.ts';
import { openRawSocket, type RawSocket } from './support/raw-socket.ts';
import { type Exchange, type ScriptedGateway, startScripted, words } from './support/scripted-gateway.ts';

const chatQuery = `subscription ($model: String!, $key: ID) {
  streamChat(input: {model: $model, messages: [{role: USER, content: {text: "Hello"}}]}, idempotencyKey: $key) { sequence }
}`;
const chatEventsQuery = 'subscription ($id: ID!) { chatEvents(id: $id) { sequence } }';

/** The ends of the chats without a key, and the other chats that did not complete. */
const endsQuery = `{
  stopped: generations(first: 100, filter: {models: ["unkeyed"]}) { edges { node { status error { code } } } }
  others: generations(filter: {models: ["keyed", "started"], statuses: [RUNNING, FAILED, CANCELED, UNKNOWN]}) {
    edges { node { status } }
  }
}`;

interface Round {
  /** Chats that `startChat` starts and `chatEvents` watches. */
  readonly started: number;
  readonly sockets: number;
  /** Subscriptions of each kind on each socket. */
  readonly perSocket: { readonly unkeyed: number; readonly keyed: number; readonly streams: number };
  readonly eventStreams: { readonly keyed: number; readonly streams: number };
}

const warmUp: Round = {
  started: 1,
  sockets: 2,
  perSocket: { unkeyed: 1, keyed: 1, streams: 1 },
  eventStreams: { keyed: 1, streams: 1 },
};
const full: Round = {
  started: 50,
  sockets: 20,
  perSocket: { unkeyed: 5, keyed: 5, streams: 8 },
  eventStreams: { keyed: 50, streams: 90 },
};

/** Opens a socket with its subscriptions. Resolves when each of them has its first event. */
async function openSocket(
  url: string,
  { unkeyed, keyed, streams }: Round['perSocket'],
  nextId: () => string,
) {
  const socket = await openRawSocket(url);
  await socket.init();
  const times = (count: number, toPayload: () => Readonly<Record<string, unknown>>) =>
    Array.from({ length: count }, () => ({ id: randomUUID(), payload: toPayload() }));
  const operations = [
    ...times(unkeyed, () => ({ query: chatQuery, variables: { model: 'unkeyed' } })),
    ...times(keyed, () => ({ query: chatQuery, variables: { model: 'keyed', key: randomUUID() } })),
    ...times(streams, () => ({ query: chatEventsQuery, variables: { id: nextId() } })),
  ];
  for (const { id, payload } of operations) socket.subscribe(id, payload);
  await Promise.all(operations.map(({ id }) => socket.waitForMessage(id)));
  return { socket, ids: operations.map(({ id }) => id) };
}

/** Opens a stream of server-sent events. Resolves after its first event with a function that leaves the stream. */
async function openEvents(url: string, payload: object): Promise<() => void> {
  const controller = new AbortController();
  const { events } = await openEventStream(url, payload, {
    headers: sandboxKey,
    signal: controller.signal,
  });
  await events[Symbol.asyncIterator]().next();
  return () => controller.abort();
}

/** Completes every operation. Resolves when the server has processed that. */
async function completeAll({ socket, ids }: { readonly socket: RawSocket; readonly ids: readonly string[] }) {
  for (const id of ids) socket.send({ type: 'complete', id });
  socket.subscribe('done', '{ __typename }');
  await socket.waitForEnd('done');
}

/** Starts a chat over a connection of its own. */
async function startChat(url: string): Promise<string> {
  const query = `mutation { startChat(input: {model: "started", messages: [{role: USER, content: {text: "Hello"}}]}) {
    ... on Generation { id } } }`;
  const { json } = await postJson(url, { query }, sandboxKey);
  return (json as ExecutionResult<{ startChat: { id: string } }>).data?.startChat.id ?? '';
}

function activityOf({ app }: TestApp) {
  const { sockets, watchers, streams } = app.activity;
  return { sockets, watchers, streams };
}

function countResources(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** The open handles of the process after every connection has closed. */
async function restingResources(): Promise<Readonly<Record<string, number>>> {
  await expect.poll(() => countResources()['TCPSocketWrap'] ?? 0).toBe(0);
  return countResources();
}

interface Opened {
  readonly app: TestApp;
  readonly gateway: ScriptedGateway;
  /** Number of the round's first upstream request. */
  readonly firstExchange: number;
}

/** Opens and drops a round's subscriptions. Resolves with the gateway requests of its chats. */
async function openAndDrop({ app, gateway, firstExchange }: Opened, round: Round) {
  const { perSocket, eventStreams } = round;
  const chats = round.sockets * (perSocket.unkeyed + perSocket.keyed) + eventStreams.keyed + round.started;
  const exchanges = Array.from({ length: chats }, async (_, index) => {
    const exchange = await gateway.exchange(firstExchange + index);
    exchange.accept();
    return exchange;
  });
  const ids = await Promise.all(Array.from({ length: round.started }, () => startChat(app.url)));
  let turn = 0;
  const nextId = (): string => ids[turn++ % ids.length] ?? '';
  const sockets = await Promise.all(
    Array.from({ length: round.sockets }, () => openSocket(app.url, perSocket, nextId)),
  );
  const leaveAll = await Promise.all([
    ...Array.from({ length: eventStreams.keyed }, () =>
      openEvents(app.url, { query: chatQuery, variables: { model: 'keyed', key: randomUUID() } }),
    ),
    ...Array.from({ length: eventStreams.streams }, () =>
      openEvents(app.url, { query: chatEventsQuery, variables: { id: nextId() } }),
    ),
  ]);
  const open = activityOf(app);
  const half = sockets.length / 2;
  await Promise.all(sockets.slice(0, half).map(completeAll));
  for (const { socket } of sockets) socket.terminate();
  for (const leave of leaveAll) leave();
  await expect.poll(() => app.app.activity.sockets + app.app.activity.watchers).toBe(0);
  return { open, exchanges: await Promise.all(exchanges) };
}

/** The model of a request to the gateway. */
function modelOf({ text }: Exchange): unknown {
  return (JSON.parse(text) as { model: unknown }).model; // The program's own request.
}

describe('500 subscriptions that open and drop', () => {
  test('leave no watcher, socket or timer, and stop only the chats that no client can attach to again', async () => {
    const clock = createManualClock();
    await using scripted = await startScripted({ overrides: { clock } });
    const { app, gateway } = scripted;
    const settle = async (exchanges: readonly Exchange[]): Promise<void> => {
      clock.advance(120_000);
      await Promise.all(exchanges.filter((each) => modelOf(each) === 'unkeyed').map(({ closed }) => closed));
      for (const exchange of exchanges) {
        if (modelOf(exchange) === 'unkeyed') continue;
        exchange.send(...words('the end'), '[DONE]');
      }
      await expect.poll(() => app.app.activity.streams).toBe(0);
      for (const exchange of exchanges) exchange.cut();
    };
    const first = await openAndDrop({ app, gateway, firstExchange: 0 }, warmUp);
    await settle(first.exchanges);
    const before = await restingResources();

    const startedAt = performance.now();
    const second = await openAndDrop({ app, gateway, firstExchange: first.exchanges.length }, full);
    const { open, exchanges } = second;
    expect(open).toEqual({ sockets: 20, watchers: 500, streams: 300 });
    expect(activityOf(app)).toEqual({ sockets: 0, watchers: 0, streams: 300 });
    // One timer for each chat that has no watcher and no idempotency key.
    expect(clock.pending(120_000)).toBe(100);
    clock.advance(119_999);
    expect(app.app.activity.streams).toBe(300);
    await settle(exchanges);
    expect(clock.pending(120_000)).toBe(0);
    expect(activityOf(app)).toEqual({ sockets: 0, watchers: 0, streams: 0 });

    const { data } = (await postJson(app.url, { query: endsQuery }, sandboxKey)).json;
    expect(data).toEqual({
      stopped: {
        edges: Array.from({ length: 100 }, () => ({
          node: { status: 'CANCELED', error: { code: 'DETACHED' } },
        })),
      },
      others: { edges: [] },
    });
    const after = await restingResources();
    // Handles of the test's own clients may have closed since the first count.
    for (const [name, count] of Object.entries(after))
      expect(count, name).toBeLessThanOrEqual(before[name] ?? 0);
    // The logs of finished chats stay for late watchers, then expire.
    clock.advance(60_000);
    expect(clock.pending(60_000)).toBe(0);
    const elapsedMs = Math.round(performance.now() - startedAt);
    process.stdout.write(
      `leak: ${JSON.stringify({ open, left: activityOf(app), before, after, elapsedMs })}\n`,
    );
  });
});

describe('a watcher that disappears', () => {
  test('without closing its socket fails the next heartbeat, and one that answers stays', async () => {
    const clientClock = createManualClock();
    const pingMs = 24_000;
    await using scripted = await startScripted({
      env: { WEBSOCKET_PING_SECONDS: String(pingMs / 1000) },
      overrides: { clientClock },
    });
    const { app, gateway } = scripted;
    void gateway.exchange(0).then((exchange) => exchange.accept());
    const id = await startChat(app.url);
    const [silent, alive] = await Promise.all([
      openRawSocket(app.url, { autoPong: false }),
      openRawSocket(app.url),
    ]);
    for (const socket of [silent, alive]) {
      await socket.init();
      socket.subscribe('a', { query: chatEventsQuery, variables: { id } });
      await socket.waitForMessage('a');
    }
    expect(activityOf(app)).toEqual({ sockets: 2, watchers: 2, streams: 1 });
    /** One heartbeat of every socket. Resolves when the server has the answer of the one that answers. */
    const beat = async (number: number): Promise<void> => {
      clientClock.advance(pingMs);
      await alive.pings.at(number - 1);
      alive.subscribe(`beat ${number}`, '{ __typename }');
      await alive.waitForEnd(`beat ${number}`);
    };
    await beat(1);
    await silent.pings.at(0);
    await beat(2);
    expect(await silent.closed).toMatchObject({ code: 1006 });
    expect(silent.pings.all).toHaveLength(1);
    for (const number of [3, 4, 5]) await beat(number);
    expect(activityOf(app)).toEqual({ sockets: 1, watchers: 1, streams: 1 });
  });

  test.each(['WebSocket', 'server-sent events'])(
    'over %s from a quiet stream leaves without the help of a timer',
    async (transport) => {
      // Neither clock moves: only the client's own message can end the watch.
      await using app = await startApp({
        env: { SHUTDOWN_SECONDS: '0.05' },
        overrides: { clock: createManualClock(), clientClock: createManualClock() },
      });
      const { id } = made(await start(app, { input: ask('Hello', { model: 'fault-stalled-stream' }) }));
      const client = transport === 'WebSocket' ? app.wsClient() : app.sseClient();
      const events = chatEvents(client, { id });
      for (let sequence = 0; sequence < 8;) ({ sequence } = await nextEvent(events));
      // The stream has stalled: no event will wake this iterator.
      const parked = events.next();
      expect(app.app.activity.watchers).toBe(1);
      await events.return?.();
      expect(await parked).toEqual({ done: true, value: undefined });
      await expect.poll(() => app.app.activity.watchers).toBe(0);
      expect(app.sandbox.activity.open).toBe(1);
    },
  );
});

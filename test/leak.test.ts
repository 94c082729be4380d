import { randomUUID } from 'node:crypto';
import type { ExecutionResult } from 'graphql';
import { describe, expect, test } from 'vitest';
import { sandboxKey, startApp, type TestApp } from './support/app.ts';
import { ask, chatStream, made, nextEvent, startChat as start } from './support/chats.ts';
import { openEventStream, postJson } from './support/http.ts';
import { createManualClock } from './support/manual-clock.ts';
import { openRawSocket, type RawSocket } from './support/raw-socket.ts';
import { type Exchange, type ScriptedGateway, startScripted, words } from './support/scripted-gateway.ts';

const chatQuery = `subscription ($model: String!, $key: ID) {
  chat(input: {model: $model, messages: [{role: USER, content: {text: "Hello"}}]}, idempotencyKey: $key) { sequence }
}`;
const chatStreamQuery = 'subscription ($id: ID!) { chatStream(id: $id) { sequence } }';

/** How the chats ended: those without a key, and those of the others that did not run to their end. */
const endsQuery = `{
  stopped: generations(first: 100, filter: {models: ["unkeyed"]}) { edges { node { status error { code } } } }
  others: generations(filter: {models: ["keyed", "started"], statuses: [RUNNING, FAILED, CANCELED, UNKNOWN]}) {
    edges { node { status } }
  }
}`;

interface Round {
  /** Chats that are started and watched by `chatStream`. */
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

/** What a socket subscribes to, each once its first event has come. */
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
    ...times(streams, () => ({ query: chatStreamQuery, variables: { id: nextId() } })),
  ];
  for (const { id, payload } of operations) socket.subscribe(id, payload);
  await Promise.all(operations.map(({ id }) => socket.whenHeard(id)));
  return { socket, ids: operations.map(({ id }) => id) };
}

/** A stream of server-sent events, once its first event has come; the result leaves it. */
async function openEvents(url: string, payload: object): Promise<() => void> {
  const controller = new AbortController();
  const { events } = await openEventStream(url, payload, {
    headers: sandboxKey,
    signal: controller.signal,
  });
  await events[Symbol.asyncIterator]().next();
  return () => controller.abort();
}

/** Completes every operation, and resolves when the server has handled that. */
async function completeAll({ socket, ids }: { readonly socket: RawSocket; readonly ids: readonly string[] }) {
  for (const id of ids) socket.send({ type: 'complete', id });
  socket.subscribe('done', '{ __typename }');
  await socket.whenOver('done');
}

/** On a connection that is gone afterwards. */
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

/** What keeps the process alive once every connection has gone. */
async function restingResources(): Promise<Readonly<Record<string, number>>> {
  await expect.poll(() => countResources()['TCPSocketWrap'] ?? 0, { interval: 2 }).toBe(0);
  return countResources();
}

interface Opened {
  readonly app: TestApp;
  readonly gateway: ScriptedGateway;
  /** Number of the round's first upstream request. */
  readonly firstExchange: number;
}

/** Opens and drops a round's subscriptions. Resolves with the upstream requests of its chats. */
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
      openEvents(app.url, { query: chatStreamQuery, variables: { id: nextId() } }),
    ),
  ]);
  const open = activityOf(app);
  const half = sockets.length / 2;
  await Promise.all(sockets.slice(0, half).map(completeAll));
  for (const { socket } of sockets) socket.terminate();
  for (const leave of leaveAll) leave();
  // The engine tells the server of it a moment later.
  await expect.poll(() => app.app.activity.sockets + app.app.activity.watchers, { interval: 2 }).toBe(0);
  return { open, exchanges: await Promise.all(exchanges) };
}

/** The model that a request upstream asks for. */
function modelOf({ text }: Exchange): unknown {
  return (JSON.parse(text) as { model: unknown }).model; // The program's own request.
}

describe('500 subscriptions that were opened and dropped', () => {
  test('leave no watcher, socket or timer; only chats that nobody can pay for twice are stopped', async () => {
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
      await expect.poll(() => app.app.activity.streams, { interval: 2 }).toBe(0);
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
    // One timer for each chat that nobody watches and that its client cannot attach to again by a key.
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
    // What was there before may have gone since (a timer of the test's own client): more must not be there.
    for (const [name, count] of Object.entries(after))
      expect(count, name).toBeLessThanOrEqual(before[name] ?? 0);
    // The logs of finished chats are kept for late watchers, then let go.
    clock.advance(60_000);
    expect(clock.pending(60_000)).toBe(0);
    const elapsedMs = Math.round(performance.now() - startedAt);
    process.stdout.write(
      `leak: ${JSON.stringify({ open, left: activityOf(app), before, after, elapsedMs })}\n`,
    );
  });
});

describe('a watcher that is gone', () => {
  test('without a word is found by the next rounds of pings, and one that answers stays', async () => {
    await using scripted = await startScripted({ env: { WEBSOCKET_PING_SECONDS: '0.05' } });
    const { app, gateway } = scripted;
    void gateway.exchange(0).then((exchange) => exchange.accept());
    const id = await startChat(app.url);
    const [silent, alive] = await Promise.all([
      openRawSocket(app.url, { autoPong: false }),
      openRawSocket(app.url),
    ]);
    for (const socket of [silent, alive]) {
      await socket.init();
      socket.subscribe('a', { query: chatStreamQuery, variables: { id } });
      await socket.whenHeard('a');
    }
    expect(activityOf(app)).toEqual({ sockets: 2, watchers: 2, streams: 1 });
    expect(await silent.closed).toMatchObject({ code: 1006 });
    expect(silent.pings.all).toHaveLength(1);
    await alive.pings.at(alive.pings.all.length + 3);
    expect(activityOf(app)).toEqual({ sockets: 1, watchers: 1, streams: 1 });
  });

  test.each(['WebSocket', 'server-sent events'])(
    'over %s from a stream that is quiet leaves at once',
    async (transport) => {
      await using app = await startApp({ env: { SHUTDOWN_SECONDS: '0.05' } });
      const { id } = made(await start(app, { input: ask('Hello', { model: 'fault-stalled-stream' }) }));
      const client = transport === 'WebSocket' ? app.wsClient() : app.sseClient();
      const events = chatStream(client, { id });
      for (let sequence = 0; sequence < 8;) ({ sequence } = await nextEvent(events));
      // Parked: nothing will come that could wake it.
      const parked = events.next();
      expect(app.app.activity.watchers).toBe(1);
      await events.return?.();
      expect(await parked).toEqual({ done: true, value: undefined });
      await expect.poll(() => app.app.activity.watchers, { interval: 2, timeout: 200 }).toBe(0);
      expect(app.sandbox.activity.open).toBe(1);
    },
  );
});

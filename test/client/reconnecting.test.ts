import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket as NodeWebSocket } from 'ws';
import {
  backoffMs,
  createReconnectingClient,
  type ReconnectingOptions,
  retryOptions,
} from '../../src/client/reconnecting.ts';
import { sandboxKey, startApp } from '../support/app.ts';
import { ask, nextEvent, streamChat, toEnd } from '../support/chats.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';
import { mint, signInBySecret } from '../support/sign-in.ts';
import { stubDeadlines } from '../support/stub-deadlines.ts';
import { HangingSocket, SilentSocket } from '../support/stub-sockets.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

test('the back-off doubles up to a limit and has jitter', () => {
  expect([0, 1, 2, 3, 4, 5, 99].map((retries) => backoffMs(retries, 1))).toEqual([
    250, 500, 1000, 2000, 4000, 5000, 5000,
  ]);
  expect([0, 5].map((retries) => backoffMs(retries, 0))).toEqual([125, 2500]);
});

test('a client retries for at least four minutes', () => {
  let shortestMs = 0;
  for (let retries = 0; retries < retryOptions.retryAttempts; retries += 1)
    shortestMs += backoffMs(retries, 0);
  expect(shortestMs).toBeGreaterThan(240_000);
});

const deadlineMs = 3_600_000;

const implementations = { browsers: WebSocket, ws: NodeWebSocket };

describe.each(Object.entries(implementations))(
  'a client with the WebSocket of %s',
  (_name, webSocketImpl) => {
    test('comes back when its connection dies without closing, also during the handshake, and gets the whole chat', async () => {
      const deadlines = stubDeadlines(deadlineMs);
      await using scripted = await startScripted();
      const { app, gateway } = scripted;
      const [first, dead, last] = [
        await startFreezingProxy(app.url),
        await startFreezingProxy(app.url),
        await startFreezingProxy(app.url),
      ];
      dead.freeze();
      const urls = [first, dead, last].map(({ url }) => url.replace('http', 'ws'));
      const seen: string[] = [];
      const client = createReconnectingClient({
        url: () => urls.shift() ?? last.url.replace('http', 'ws'),
        webSocketImpl,
        connectionParams: sandboxKey,
        keepAlive: 20,
        pongTimeout: deadlineMs,
        on: { connected: () => void seen.push('connected'), ping: () => void seen.push('ping') },
      });
      onTestFinished(() => void client.dispose());
      const events = streamChat(client, { input: ask('Hello') });
      const opened = nextEvent(events);
      const exchange = await gateway.exchange(0);
      exchange.send(...words('one '));
      await opened;
      // Its pings are answered.
      await expect.poll(() => seen.filter((event) => event === 'ping').length).toBeGreaterThan(1);
      expect(seen.filter((event) => event === 'connected')).toHaveLength(1);
      first.freeze();
      exchange.send(...words('two'), '[DONE]');
      await deadlines.pass();
      // The handshake with the second one.
      await expect.poll(() => urls).toHaveLength(1);
      await deadlines.pass();
      const last_ = (await toEnd(events)).at(-1);
      expect(last_?.__typename).toBe('ChatCompleted');
      expect(last_?.soFar.choices[0]?.message.content).toBe('one two');
      expect(urls).toEqual([]);
      expect(gateway.requests).toHaveLength(1);
    });
  },
);

test('without settings, a silent connection is pinged after 5 seconds and replaced after 10', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const client = createReconnectingClient({ url: 'ws://localhost', webSocketImpl: SilentSocket });
  onTestFinished(() => void client.dispose());
  client.subscribe({ query: '{ __typename }' }, { next() {}, error() {}, complete() {} });
  const startedAt = Date.now();
  // The longest first back-off included.
  await vi.advanceTimersByTimeAsync(12_000);
  const [pingedAt = 0] = SilentSocket.pingedAt;
  expect(pingedAt - startedAt).toBeGreaterThanOrEqual(5000);
  expect(pingedAt - startedAt).toBeLessThan(5100);
  const [, replacedAt = 0] = SilentSocket.openedAt;
  expect(replacedAt - startedAt).toBeGreaterThanOrEqual(10_000);
});

test('a handshake that hangs does not extend the deadline of the next', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  HangingSocket.openedAt.length = 0;
  const client = createReconnectingClient({ url: 'ws://localhost', webSocketImpl: HangingSocket });
  onTestFinished(() => void client.dispose());
  client.subscribe({ query: '{ __typename }' }, { next() {}, error() {}, complete() {} });
  await vi.advanceTimersByTimeAsync(60_000);
  const waits = HangingSocket.openedAt.slice(1).map((at, index) => at - (HangingSocket.openedAt[index] ?? 0));
  expect(waits.length).toBeGreaterThan(4);
  // The deadline and the longest back-off.
  expect(Math.max(...waits)).toBeLessThanOrEqual(5000 + 5000);
});

test('each client has its own deadline: a dead connection of one leaves the other alone', async () => {
  const deadlines = stubDeadlines(deadlineMs);
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const [dying, alive] = [await startFreezingProxy(app.url), await startFreezingProxy(app.url)];
  const connected: string[] = [];
  const start = async (name: string, index: number, urls: readonly string[]) => {
    const remaining = [...urls];
    const client = createReconnectingClient({
      url: () => (remaining.shift() ?? app.url).replace('http', 'ws'),
      connectionParams: sandboxKey,
      keepAlive: 20,
      pongTimeout: deadlineMs + index,
      on: { connected: () => void connected.push(name) },
    });
    onTestFinished(() => void client.dispose());
    const events = streamChat(client, { input: ask(name) });
    const opened = nextEvent(events);
    const exchange = await gateway.exchange(index);
    exchange.send(...words(name));
    await opened;
    return { ended: toEnd(events), exchange };
  };
  const [first, second] = [await start('dying', 0, [dying.url]), await start('alive', 1, [alive.url])];
  dying.freeze();
  await deadlines.pass();
  await expect.poll(() => connected).toEqual(['dying', 'alive', 'dying']);
  for (const { exchange } of [first, second]) exchange.send('[DONE]');
  for (const { ended } of [first, second]) expect((await ended).at(-1)?.__typename).toBe('ChatCompleted');
  expect(connected).toEqual(['dying', 'alive', 'dying']);
});

const toSocketUrl = (url: string): string => url.replace('http', 'ws');

test('the state of the connection can be watched', async () => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const proxy = await startTcpProxy(app.url);
  const client = createReconnectingClient({ url: toSocketUrl(proxy.url), credential: 'sk-sandbox' });
  onTestFinished(() => void client.dispose());
  const { connection } = client;
  const statuses = [connection.current.status];
  const startedAt = connection.current.since;
  const stop = connection.subscribe(() => statuses.push(connection.current.status));
  const events = streamChat(client, { input: ask('Hello') });
  const opened = nextEvent(events);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('one '));
  await opened;
  expect(connection.current).toBe(connection.current);
  proxy.cut();
  exchange.send(...words('two'), '[DONE]');
  expect((await toEnd(events)).at(-1)?.soFar.choices[0]?.message.content).toBe('one two');
  await expect.poll(() => connection.current.status).toBe('idle');
  expect(statuses).toEqual(['idle', 'connecting', 'connected', 'reconnecting', 'connected', 'idle']);
  expect(connection.current.since).toBeGreaterThanOrEqual(startedAt);
  stop();
});

test('a client that is not lazy connects without an operation', async () => {
  await using app = await startApp();
  const { statuses } = watchStatuses(app.url, { lazy: false });
  await expect.poll(() => statuses).toEqual(['connected']);
});

describe('without an operation, the connection is idle', () => {
  const query = { query: '{ __typename }' };

  test('when it is lost, and the next operation connects again', async () => {
    await using app = await startApp();
    const proxy = await startTcpProxy(app.url);
    const { client, statuses } = watchStatuses(proxy.url, { lazyCloseTimeout: 3_600_000 });
    await client.iterate(query).next();
    proxy.cut();
    await expect.poll(() => statuses.at(-1)).toBe('idle');
    await client.iterate(query).next();
    expect(statuses).toEqual(['connecting', 'connected', 'idle', 'connecting', 'connected']);
  });

  test('when the last one leaves while the connection is lost', async () => {
    await using scripted = await startScripted();
    const proxy = await startTcpProxy(scripted.app.url);
    const { client, statuses } = watchStatuses(proxy.url);
    const events = streamChat(client, { input: ask('Hello') });
    const opened = nextEvent(events);
    (await scripted.gateway.exchange(0)).send(...words('one'));
    await opened;
    proxy.refuse();
    await expect.poll(() => statuses.at(-1)).toBe('reconnecting');
    await events.return?.();
    await expect.poll(() => statuses.at(-1)).toBe('idle');
    expect(statuses).toEqual(['connecting', 'connected', 'reconnecting', 'idle']);
  });

  test('when its token is renewed', async () => {
    await using app = await startApp({ env: signInBySecret });
    const tokens: string[] = [];
    const { client, statuses } = watchStatuses(app.url, {
      lazyCloseTimeout: 3_600_000,
      async credential() {
        tokens.push(await mint('ada', { lifeSeconds: 2, claims: { jti: String(tokens.length) } }));
        return tokens.at(-1);
      },
    });
    await client.iterate(query).next();
    await expect.poll(() => tokens.length).toBe(2);
    await expect.poll(() => statuses.at(-1)).toBe('idle');
    await client.iterate(query).next();
    expect([tokens.length, statuses.at(-1)]).toEqual([2, 'connected']);
  });
});

function watchStatuses(url: string, options: Partial<ReconnectingOptions> = {}) {
  const client = createReconnectingClient({ url: toSocketUrl(url), credential: 'sk-sandbox', ...options });
  onTestFinished(() => void client.dispose());
  const statuses: string[] = [];
  client.connection.subscribe(() => statuses.push(client.connection.current.status));
  return { client, statuses };
}

test('a static credential that the server refuses ends the operation at once', async () => {
  await using scripted = await startScripted({ env: signInBySecret });
  const { app } = scripted;
  const token = await mint('ada', { lifeSeconds: -60 });
  const client = createReconnectingClient({ url: toSocketUrl(app.url), credential: token });
  onTestFinished(() => void client.dispose());
  await expect(nextEvent(streamChat(client, { input: ask('Hello') }))).rejects.toBeDefined();
});

/** A page whose events a test dispatches. */
function stubPage() {
  const page = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  vi.stubGlobal('document', document);
  onTestFinished(() => void vi.unstubAllGlobals());
  return { page, document };
}

test.each([
  ['page', 'online'],
  ['page', 'pageshow'],
  ['document', 'visibilitychange'],
  ['document', 'resume'],
] as const)('a dead connection is noticed at once when the %s fires %s', async (target, type) => {
  const page = stubPage();
  const deadlines = stubDeadlines(deadlineMs);
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const dying = await startFreezingProxy(app.url);
  const urls = [dying.url];
  const client = createReconnectingClient({
    url: () => toSocketUrl(urls.shift() ?? app.url),
    credential: 'sk-sandbox',
    // Without a check, nothing would happen for an hour.
    keepAlive: 3_000_000,
    pongTimeout: deadlineMs,
  });
  onTestFinished(() => void client.dispose());
  const events = streamChat(client, { input: ask('Hello') });
  const opened = nextEvent(events);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('one '));
  await opened;
  dying.freeze();
  exchange.send(...words('two'), '[DONE]');
  page[target].dispatchEvent(new Event(type));
  await deadlines.pass();
  expect((await toEnd(events)).at(-1)?.soFar.choices[0]?.message.content).toBe('one two');
});

test('a page that is online again does not wait for the end of a back-off', async () => {
  const { page } = stubPage();
  await using app = await startScripted();
  const proxy = await startTcpProxy(app.app.url);
  proxy.refuse();
  const waits: ReturnType<typeof setTimeout>[] = [];
  const setTimer = globalThis.setTimeout;
  // Back-offs never end by themselves.
  vi.stubGlobal('setTimeout', (run: () => void, ms: number) => {
    const timer = setTimer(run, ms <= 5000 && ms >= 100 ? 3_600_000 : ms);
    if (ms <= 5000 && ms >= 100) waits.push(timer);
    return timer;
  });
  onTestFinished(() => waits.forEach(clearTimeout));
  const client = createReconnectingClient({
    url: toSocketUrl(proxy.url),
    credential: 'sk-sandbox',
    keepAlive: 0,
  });
  onTestFinished(() => void client.dispose());
  const events = streamChat(client, { input: ask('Hello') });
  const opened = nextEvent(events);
  await expect.poll(() => waits.length).toBe(1);
  proxy.accept();
  page.dispatchEvent(new Event('online'));
  (await app.gateway.exchange(0)).send(...words('one'), '[DONE]');
  await opened;
});

describe.each([
  { when: 'before a token expires', isCached: false },
  { when: 'after the server has closed the connection of an expired token', isCached: true },
])('a credential function is called again $when', ({ isCached }) => {
  test('and a chat goes on without an error or a gap', async () => {
    await using scripted = await startScripted({ env: signInBySecret });
    const { app, gateway } = scripted;
    const lifeSeconds = 5;
    const tokens: string[] = [];
    let expiresAt = 0;
    let calls = 0;
    const client = createReconnectingClient({
      url: toSocketUrl(app.url),
      async credential() {
        calls += 1;
        // The page had no network.
        if (calls === 2) throw new Error('No new token');
        if (!isCached || Date.now() >= expiresAt) {
          const now = Date.now();
          expiresAt = (Math.floor(now / 1000) + lifeSeconds) * 1000;
          tokens.push(await mint('ada', { now, lifeSeconds, claims: { jti: String(calls) } }));
        }
        return `Bearer ${tokens.at(-1)}`;
      },
    });
    onTestFinished(() => void client.dispose());
    const statuses: string[] = [];
    client.connection.subscribe(() => statuses.push(client.connection.current.status));
    const events = streamChat(client, { input: ask('Hello') });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(0);
    exchange.send(...words('0 '));
    await first;
    let sent = '0 ';
    for (const word of isCached ? ['1 '] : ['1 ', '2 ']) {
      const before = tokens.length;
      await expect.poll(() => tokens.length, { timeout: 20_000 }).toBeGreaterThan(before);
      exchange.send(...words(word));
      sent += word;
    }
    exchange.send('[DONE]');
    const end = (await toEnd(events)).at(-1);
    expect(end?.__typename).toBe('ChatCompleted');
    expect(end?.soFar.choices[0]?.message.content).toBe(sent);
    expect(gateway.requests).toHaveLength(1);
    expect(statuses.includes('reconnecting')).toBe(isCached);
  });
});

test('a connection that is refused for good says why and what to do, and the next operation connects again', async () => {
  await using app = await startApp({ env: signInBySecret });
  const now = Date.now() - 3_600_000;
  const client = createReconnectingClient({
    url: toSocketUrl(app.url),
    credential: await mint('ada', { now, lifeSeconds: 1 }),
  });
  onTestFinished(() => void client.dispose());
  const refused = (): Promise<unknown> => client.iterate({ query: '{ __typename }' }).next();
  await expect(refused()).rejects.toMatchObject({ code: 4403 });
  const { current } = client.connection;
  expect(current).toMatchObject({
    status: 'closed',
    problem: { code: 'CONNECTION_FAILED', retry: 'AUTHENTICATE', message: 'Forbidden' },
  });
  const statuses: string[] = [];
  client.connection.subscribe(() => statuses.push(client.connection.current.status));
  await expect(refused()).rejects.toMatchObject({ code: 4403 });
  expect(statuses).toEqual(['connecting', 'closed']);
});

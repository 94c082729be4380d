import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket as NodeWebSocket } from 'ws';
import { backoffMs, createReconnectingClient, retryOptions } from '../../src/client/reconnecting.ts';
import { sandboxKey } from '../support/app.ts';
import { ask, nextEvent, streamChat, toEnd } from '../support/chats.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

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

const implementations = { browsers: WebSocket, ws: NodeWebSocket };

describe.each(Object.entries(implementations))(
  'a client with the WebSocket of %s',
  (_name, webSocketImpl) => {
    test('comes back when its connection dies without closing, also during the handshake, and gets the whole chat', async () => {
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
        keepAlive: 200,
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
      const last_ = (await toEnd(events)).at(-1);
      expect(last_?.__typename).toBe('ChatCompleted');
      expect(last_?.soFar.choices[0]?.message.content).toBe('one two');
      expect(urls).toEqual([]);
      expect(gateway.requests).toHaveLength(1);
    });
  },
);

test('each client has its own deadline: a dead connection of one leaves the other alone', async () => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const [dying, alive] = [await startFreezingProxy(app.url), await startFreezingProxy(app.url)];
  const connected: string[] = [];
  const start = async (name: string, index: number, urls: readonly string[]) => {
    const remaining = [...urls];
    const client = createReconnectingClient({
      url: () => (remaining.shift() ?? app.url).replace('http', 'ws'),
      connectionParams: sandboxKey,
      keepAlive: 200,
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
  await expect.poll(() => connected).toEqual(['dying', 'alive', 'dying']);
  for (const { exchange } of [first, second]) exchange.send('[DONE]');
  for (const { ended } of [first, second]) expect((await ended).at(-1)?.__typename).toBe('ChatCompleted');
  expect(connected).toEqual(['dying', 'alive', 'dying']);
});

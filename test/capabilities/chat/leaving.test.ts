import type { Client } from 'graphql-ws';
import { describe, expect, test } from 'vitest';
import { startApp } from '../../support/app.ts';
import {
  ask,
  chatEvents,
  findGeneration,
  made,
  nextEvent,
  startChat,
  streamChat,
  toEnd,
} from '../../support/chats.ts';
import { foldedText } from '../../support/fold-chat.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { startScripted, words } from '../../support/scripted-gateway.ts';

const hello = ask('Hello');
/** The default of CHAT_DETACH_SECONDS. */
const detachMs = 120_000;

/** Resolves when the server has handled all messages that this client has sent. */
async function roundTrip(client: Client): Promise<void> {
  for await (const result of client.iterate({ query: '{ __typename }' }))
    expect(result.errors).toBeUndefined();
}

async function startWithClock() {
  const clock = createManualClock();
  const scripted = await startScripted({ overrides: { clock } });
  return { ...scripted, clock, [Symbol.asyncDispose]: () => scripted[Symbol.asyncDispose]() };
}

describe('a chat continues', () => {
  test('from startChat to its end without watchers', async () => {
    await using scripted = await startWithClock();
    const { app, gateway, clock } = scripted;
    const starting = startChat(app, { input: hello });
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const { id } = made(await starting);
    clock.advance(24 * 3_600_000);
    exchange.send(...words('a', 'b'), '[DONE]');
    const events = await toEnd(chatEvents(app.wsClient(), { id }));
    expect(events.at(-1)?.__typename).toBe('ChatCompleted');
    expect(foldedText(events)).toBe('ab');
  });

  test.each(['a WebSocket', 'server-sent events'])(
    'with a client key after its watcher leaves %s',
    async (kind) => {
      await using scripted = await startWithClock();
      const { app, gateway, clock } = scripted;
      const client = app.wsClient();
      const events = streamChat(kind === 'a WebSocket' ? client : app.sseClient(), {
        input: hello,
        idempotencyKey: 'mine',
      });
      const first = nextEvent(events);
      const exchange = await gateway.exchange(0);
      exchange.send(...words('a'));
      const { generationId } = await first;
      await events.return?.();
      const other = app.wsClient();
      // On the socket, the round trip completes after the unsubscribe. Closing an HTTP stream has no reply to await.
      if (kind === 'a WebSocket') await roundTrip(client);
      clock.advance(24 * 3_600_000);
      const watching = toEnd(chatEvents(other, { id: generationId ?? '' }));
      exchange.send(...words('b'), '[DONE]');
      expect(foldedText(await watching)).toBe('ab');
      expect(gateway.requests).toHaveLength(1);
    },
  );

  test('without a key while another watcher remains', async () => {
    await using scripted = await startWithClock();
    const { app, gateway, clock } = scripted;
    const client = app.wsClient();
    const events = streamChat(client, { input: hello });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const { generationId } = await first;
    const other = chatEvents(app.wsClient(), { id: generationId ?? '' });
    const seen = [await nextEvent(other)];
    await events.return?.();
    await roundTrip(client);
    expect(clock.pending(detachMs)).toBe(0);
    clock.advance(detachMs * 10);
    exchange.send(...words('a'), '[DONE]');
    seen.push(...(await toEnd(other)));
    expect(seen.at(-1)?.__typename).toBe('ChatCompleted');
  });

  test('without a key when its watcher returns in time', async () => {
    await using scripted = await startWithClock();
    const { app, gateway, clock } = scripted;
    const client = app.wsClient();
    const events = streamChat(client, { input: hello });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const { generationId } = await first;
    await events.return?.();
    await clock.waitForTimer(detachMs);
    clock.advance(detachMs - 1);
    const back = chatEvents(client, { id: generationId ?? '' });
    const seen = [await nextEvent(back)];
    expect(clock.pending(detachMs)).toBe(0);
    clock.advance(detachMs);
    exchange.send(...words('a'), '[DONE]');
    seen.push(...(await toEnd(back)));
    expect(seen.at(-1)?.__typename).toBe('ChatCompleted');
  });
});

test('a chat without a key is not stopped while its client waits for the gateway', async () => {
  const clock = createManualClock();
  // Less than the default of CHAT_ACCEPT_SECONDS.
  const env = { CHAT_DETACH_SECONDS: '5' };
  await using scripted = await startScripted({ env, overrides: { clock } });
  const { app, gateway } = scripted;
  const events = streamChat(app.wsClient(), { input: hello });
  const first = nextEvent(events);
  const exchange = await gateway.exchange(0);
  clock.advance(2500);
  expect((await first).__typename).toBe('ChatSnapshot');
  clock.advance(5000);
  exchange.send(...words('a'), '[DONE]');
  expect((await toEnd(events)).at(-1)?.__typename).toBe('ChatCompleted');
});

describe('a chat without a key and without watchers', () => {
  test('is aborted at the gateway after CHAT_DETACH_SECONDS, and keeps its text', async () => {
    const clock = createManualClock();
    await using app = await startApp({
      env: { CHAT_DETACH_SECONDS: '45' },
      sandbox: { tokensPerSecond: 100 },
      overrides: { clock },
    });
    const { activity } = app.sandbox;
    const events = streamChat(app.wsClient(), { input: ask('Tell me a story in 2000 words.') });
    const seen = [await nextEvent(events), await nextEvent(events)];
    await events.return?.();
    await clock.waitForTimer(45_000);
    clock.advance(44_999);
    expect(activity.requests().at(-1)?.state).toBe('open');
    clock.advance(1);
    await activity.waitUntilIdle();
    expect(activity.requests().at(-1)?.state).toBe('aborted');
    const id = seen[0]?.generationId ?? '';
    const after = await toEnd(chatEvents(app.wsClient(), { id }));
    expect(after.map(({ __typename }) => __typename)).toEqual(['ChatSnapshot', 'ChatCanceled']);
    expect(foldedText(after).startsWith(foldedText(seen))).toBe(true);
    expect(await findGeneration(app, id)).toMatchObject({
      status: 'CANCELED',
      isTerminal: true,
      isCancelable: false,
      error: { code: 'DETACHED' },
      output: { choices: [{ message: { content: foldedText(after) } }] },
    });
  });

  test.each(['closed', 'broken'])("is aborted after its watcher's socket is %s", async (how) => {
    await using scripted = await startWithClock();
    const { app, gateway, clock } = scripted;
    const client = app.wsClient();
    const events = streamChat(client, { input: hello });
    const first = nextEvent(events);
    const exchange = await gateway.exchange(0);
    exchange.accept();
    await first;
    const rest = toEnd(events).catch(() => {});
    if (how === 'closed') await client.dispose();
    else client.terminate();
    await clock.waitForTimer(detachMs);
    clock.advance(detachMs);
    await exchange.closed;
    await rest;
    // The gateway is let go before the end is recorded.
    await expect.poll(() => app.app.activity).toMatchObject({ watchers: 0, streams: 0 });
  });

  test('is aborted when its watcher left before the gateway accepted it', async () => {
    await using scripted = await startWithClock();
    const { app, gateway, clock } = scripted;
    const client = app.wsClient();
    const events = streamChat(client, { input: hello });
    const first = events.next().catch(() => {});
    const exchange = await gateway.exchange(0);
    await events.return?.();
    await roundTrip(client);
    // The detach timer starts with the chat, because it never had a watcher.
    expect(clock.pending(detachMs)).toBe(1);
    clock.advance(detachMs);
    await exchange.closed;
    await first;
    expect(app.app.activity).toMatchObject({ watchers: 0, streams: 0 });
  });
});

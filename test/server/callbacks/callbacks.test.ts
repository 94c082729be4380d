import { expect, test } from 'vitest';
import { chatQuery, type ChatEvent, ask, startChatQuery } from '../../support/chats.ts';
import { startCallbackRouter, subscribeByCallback } from '../../support/callback-router.ts';
import { startScripted, words } from '../../support/scripted-gateway.ts';

async function start(env: Readonly<Record<string, string>> = {}) {
  const router = await startCallbackRouter();
  const scripted = await startScripted({ env: { CALLBACK_URLS: `${router.url}/callback`, ...env } });
  return { router, ...scripted };
}

test('a chat is checked, posted event by event, and completed', async () => {
  await using started = await start();
  const { app, gateway, router } = started;
  const variables = { input: ask('hello'), idempotencyKey: 'k' };
  const subscribed = subscribeByCallback(app, router, { query: chatQuery, variables });
  const [check] = await router.when('check');
  expect(check?.headers).toMatchObject({
    'subscription-protocol': 'callback/1.0',
    'content-type': 'application/json',
  });
  expect(check?.body).toMatchObject({ kind: 'subscription', verifier: 'the-verifier' });
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a', 'b'));
  const reply = await subscribed;
  expect([reply.status, reply.json]).toEqual([200, { data: null }]);
  await router.posts.when(() => textOf(router.events()) === 'ab');
  exchange.send(...words('c'), '[DONE]');
  exchange.end();
  const [complete] = await router.when('complete');
  expect(complete?.body.errors).toBeUndefined();
  const events = router.events() as readonly ChatEvent[];
  expect(events[0]?.__typename).toBe('ChatSnapshot');
  expect(events.at(-1)?.__typename).toBe('ChatCompleted');
  expect(textOf(events)).toBe('abc');
  expect(gateway.requests).toHaveLength(1);
});

/** The text that a client has after these events. */
function textOf(events: readonly unknown[]): string {
  let text = '';
  for (const event of events as readonly ChatEvent[]) {
    if (event.__typename === 'ChatSnapshot') text = event.soFar.choices[0]?.message.content ?? '';
    if (event.__typename === 'ChatDelta') text += event.choices[0]?.content ?? '';
  }
  return text;
}
void startChatQuery;

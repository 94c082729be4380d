import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { startApp } from '../../support/app.ts';
import { startCallbackRouter, subscribeByCallback } from '../../support/callback-router.ts';
import { ask, chatQuery } from '../../support/chats.ts';
import { createHeldMethod } from '../../support/held-method.ts';
import { createDatabaseRecords } from '../../support/records.ts';
import { startScriptedGateway } from '../../support/scripted-gateway.ts';

test('a takeover does not say that nothing was charged: the first server may still send the create', async () => {
  const records = await createDatabaseRecords();
  const [router, gateway] = [await startCallbackRouter(), await startScriptedGateway()];
  const { wrapStore, called, release } = createHeldMethod('claim');
  onTestFinished(() => release());
  const start = async (overrides = {}) => {
    const env = { ...records.env, CALLBACK_URLS: router.url, SHUTDOWN_SECONDS: '5' };
    const app = await startApp({ gatewayUrl: gateway.url, env, overrides });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  const first = await start({ wrapStore });
  const input = ask('hello');
  // The router gives the next subscription another id, so that only the client's own key finds what this one creates.
  const [withKey, withoutKey] = [randomUUID(), randomUUID()];
  for (const [subscriptionId, variables] of [
    [withKey, { input, idempotencyKey: 'k' }],
    [withoutKey, { input }],
  ] as const)
    void subscribeByCallback(first, router, { query: chatQuery, variables, subscriptionId }).catch(() => {});
  await router.when('check', 2);
  await called;
  await start();
  // It lets others take its subscriptions, and goes on with what it has begun.
  const closing = first.app.close();
  const completed = await router.when('complete', 2);
  const adviceOf = new Map(completed.map(({ body }) => [body.id, body.errors?.[0]?.extensions]));
  expect(adviceOf.get(withKey)).toMatchObject({ code: 'INTERRUPTED', retry: 'SAME_KEY' });
  expect(adviceOf.get(withoutKey)).toMatchObject({ code: 'OUTCOME_UNKNOWN', retry: 'MAY_CHARGE_AGAIN' });
  release();
  for (const exchange of [0, 1]) (await gateway.exchange(exchange)).reply(200, {});
  await closing;
});

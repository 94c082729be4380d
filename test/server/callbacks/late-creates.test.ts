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
  const variables = { input: ask('hello'), idempotencyKey: 'k' };
  void subscribeByCallback(first, router, { query: chatQuery, variables }).catch(() => {});
  await called;
  await start();
  // It lets others take its subscriptions, and goes on with what it has begun.
  const closing = first.app.close();
  const [complete] = await router.when('complete');
  expect(complete?.body.errors?.[0]?.extensions).toMatchObject({
    code: 'OUTCOME_UNKNOWN',
    retry: 'MAY_CHARGE_AGAIN',
  });
  release();
  (await gateway.exchange(0)).reply(200, {});
  await closing;
});

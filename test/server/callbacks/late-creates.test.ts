import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { startApp } from '../../support/app.ts';
import { startCallbackRouter, subscribeByCallback, textOf } from '../../support/callback-router.ts';
import { ask, chatQuery } from '../../support/chats.ts';
import { createHeldMethod } from '../../support/held-method.ts';
import { createDatabaseRecords } from '../../support/records.ts';
import { startScriptedGateway, words } from '../../support/scripted-gateway.ts';

test('a takeover does not say that nothing was charged: the first server may still send the create', async () => {
  const records = await createDatabaseRecords();
  const [router, gateway] = [await startCallbackRouter(), await startScriptedGateway()];
  const claims = createHeldMethod('claim');
  onTestFinished(() => claims.release());
  const start = async (overrides = {}) => {
    const env = { ...records.env, CALLBACK_URLS: router.url, SHUTDOWN_SECONDS: '5' };
    const app = await startApp({ gatewayUrl: gateway.url, env, overrides });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  const first = await start({ wrapStore: claims.wrapStore });
  const input = ask('hello');
  // The router gives the next subscription another id, so that only the client's own key finds what this one creates.
  const [withKey, withoutKey] = [randomUUID(), randomUUID()];
  for (const [subscriptionId, variables] of [
    [withKey, { input, idempotencyKey: 'k' }],
    [withoutKey, { input }],
  ] as const)
    void subscribeByCallback(first, router, { query: chatQuery, variables, subscriptionId }).catch(() => {});
  await expect.poll(() => claims.calls).toBe(2);
  await start();
  // It lets others take its subscriptions, and goes on with what it has begun.
  const closing = first.app.close();
  const completed = await router.when('complete', 2);
  const adviceOf = new Map(completed.map(({ body }) => [body.id, body.errors?.[0]?.extensions]));
  expect(adviceOf.get(withKey)).toMatchObject({ code: 'INTERRUPTED', retry: 'SAME_KEY' });
  expect(adviceOf.get(withoutKey)).toMatchObject({ code: 'OUTCOME_UNKNOWN', retry: 'MAY_CHARGE_AGAIN' });
  claims.release();
  (await gateway.exchange(0)).reply(200, {});
  // The one without a key is not sent if the first server has noticed the takeover.
  void gateway.exchange(1).then((exchange) => exchange.reply(200, {}));
  await closing;
});

test('a create without a key is not sent after its subscription has ended', async () => {
  const [router, gateway] = [await startCallbackRouter(), await startScriptedGateway()];
  const records = await createDatabaseRecords();
  const { wrapStore, called, release } = createHeldMethod('claim');
  const env = { ...records.env, CALLBACK_URLS: router.url };
  const app = await startApp({ gatewayUrl: gateway.url, env, overrides: { wrapStore } });
  onTestFinished(() => {
    release();
    return app[Symbol.asyncDispose]();
  });
  const subscribed = subscribeByCallback(app, router, {
    query: chatQuery,
    variables: { input: ask('hello') },
  });
  await called;
  // Its client has gone.
  router.answer = () => 404;
  await expect.poll(() => records.query('select id from callbacks'), { timeout: 20_000 }).toEqual([]);
  release();
  await Promise.race([subscribed, gateway.exchange(0)]);
  expect(gateway.requests).toEqual([]);
});

test('a server that shuts down lets others take its subscriptions when it gets no more, and each has its create', async () => {
  const records = await createDatabaseRecords();
  const [router, gateway] = [await startCallbackRouter(), await startScriptedGateway()];
  let offers = 0;
  const wrapStore = (store: Store): Store => {
    const { lease } = store.callbacks;
    const offer = async (): Promise<void> => {
      offers += 1;
      await lease?.offer();
    };
    return { ...store, callbacks: { ...store.callbacks, lease: lease && { ...lease, offer } } };
  };
  const start = async (overrides = {}) => {
    const env = { ...records.env, CALLBACK_URLS: router.url, SHUTDOWN_SECONDS: '30' };
    const app = await startApp({ gatewayUrl: gateway.url, env, overrides });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  const [first, idle] = [await start({ wrapStore }), await start({ wrapStore })];
  await start();
  const [checked, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
  router.answer = () => {
    checked.resolve();
    return allowed.promise;
  };
  const subscribed = subscribeByCallback(first, router, {
    query: chatQuery,
    variables: { input: ask('hello') },
  });
  await checked.promise;
  const idleClosing = idle.app.close();
  const closing = first.app.close();
  await setImmediate();
  // A router may send one more request on each of its connections.
  expect(offers).toBe(0);
  await expect.poll(() => offers, { timeout: 10_000 }).toBe(1);
  allowed.resolve(204);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a'));
  expect((await subscribed).json).toEqual({ data: null });
  exchange.send(...words('b'), '[DONE]');
  const [complete] = await router.when('complete');
  expect(complete?.body.errors).toBeUndefined();
  expect(textOf(router.events())).toBe('ab');
  await Promise.all([idleClosing, closing]);
  expect(offers).toBe(2);
  expect(gateway.requests).toHaveLength(1);
});

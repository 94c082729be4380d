import { expect, test } from 'vitest';
import { createManualClock } from '../../support/manual-clock.ts';
import { packId } from '../../../src/lib/ids.ts';
import { startFakeGateway } from '../../support/fake-gateway.ts';
import { startCallbackApp, subscribeByCallback } from '../../support/callback-router.ts';
import { ask, chatQuery, startChat } from '../../support/chats.ts';
import { createRecords } from '../../support/records.ts';
import { words } from '../../support/scripted-gateway.ts';
import { bearer, mint, signInBySecret } from '../../support/sign-in.ts';

test('a subscription whose router forgets it before its create is accepted counts as open no longer', async () => {
  const records = await createRecords('SQLite');
  const { app, gateway, router } = await startCallbackApp({
    env: { ...records.env, MAX_OPEN_PER_OWNER: '1' },
  });
  // Its gateway knows the caller from now on.
  const starting = startChat(app, { input: ask('hello') });
  (await gateway.exchange(0)).send('[DONE]');
  await starting;
  const variables = { input: ask('hello'), idempotencyKey: 'k' };
  const subscribed = subscribeByCallback(app, router, {
    query: chatQuery,
    variables,
    heartbeatIntervalMs: 500,
  });
  const exchange = await gateway.exchange(1);
  router.answer = () => 404;
  await expect.poll(() => records.query('select id from callbacks')).toEqual([]);
  exchange.send(...words('a'));
  await subscribed;
  router.answer = () => 204;
  const query = 'subscription { generationChanged { cursor } }';
  expect((await subscribeByCallback(app, router, { query })).json).toEqual({ data: null });
});

test.each([
  ['k', 'SAME_KEY'],
  // By the id of the subscription, which the next one of the router does not have.
  [null, 'MAY_CHARGE_AGAIN'],
])(
  'a subscription whose token expires does not say that its create with the key %s was not charged',
  async (idempotencyKey, retry) => {
    const clientClock = createManualClock(Date.now());
    const { app, gateway, router } = await startCallbackApp({
      env: signInBySecret,
      overrides: { clientClock },
    });
    const headers = bearer(await mint('anna', { lifeSeconds: 60 }));
    const variables = { input: ask('hello'), idempotencyKey };
    const subscribed = subscribeByCallback(app, router, { query: chatQuery, variables, headers });
    const exchange = await gateway.exchange(0);
    clientClock.advance(120_000);
    const [complete] = await router.when('complete');
    expect(complete?.body.errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED', retry });
    exchange.send('[DONE]');
    await subscribed;
  },
);

test('the refusal of a gateway that names no time to wait has no Retry-After', async () => {
  const gateway = await startFakeGateway((_request, response) => {
    response.writeHead(429).end();
  });
  const { app, router } = await startCallbackApp({ gatewayUrl: gateway.url });
  const query = `subscription { taskProgress(id: "${packId('task', ['SONG', 'a'])}") { status } }`;
  const { status, headers } = await subscribeByCallback(app, router, { query });
  expect([status, headers['retry-after']]).toEqual([429, undefined]);
});

import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Expiry, Store } from '../../src/store/store.ts';
import { createWebhooks } from '../../src/webhooks/start-webhooks.ts';
import { startApp } from '../support/app.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { operatorWebhook } from '../support/operator-webhook.ts';
import { signInBySecret } from '../support/sign-in.ts';

test('no event is delivered before the files have started, whose addresses it has', async () => {
  const clock = createManualClock();
  const store = await createSqliteStore({ directory: ':memory:', clock });
  onTestFinished(() => store.close());
  const records = await store.setUpWebhooks({ operator: [operatorWebhook], forOwners: false });
  if (!records) throw new Error('webhooks are off');
  let rounds = 0;
  const webhooks = createWebhooks({
    config: {
      WEBHOOK_TIMEOUT_SECONDS: 1,
      OWNER_WEBHOOKS: 'off',
      MAX_UNSENT_BYTES: 1_048_576,
      MAX_ANSWER_BYTES: 65_536,
    },
    operator: [],
    records: {
      ...records,
      findQueues() {
        rounds += 1;
        return records.findQueues();
      },
    },
    store,
    describeOutput: () => ({ assets: [], texts: [] }),
    clock,
    log: pino({ level: 'silent' }),
    metrics: undefined,
  });
  onTestFinished(() => webhooks.close());
  // Such as of work that the process before this one left.
  webhooks.wake();
  expect(rounds).toBe(0);
  webhooks.start(undefined);
  expect(rounds).toBe(1);
});

test.each([
  ['passthrough', {}, false],
  ['jwt', signInBySecret, true],
  ['both', { ...signInBySecret, AUTH: 'both' }, true],
] as const)(
  'with AUTH=%s, the deletion of unused webhooks knows whether users sign in',
  async (_auth, env, expected) => {
    const clock = createManualClock();
    const swept = Promise.withResolvers<Expiry>();
    const wrapStore = (store: Store): Store => ({
      ...store,
      sweep(expiry) {
        swept.resolve(expiry);
        return store.sweep(expiry);
      },
    });
    await using _app = await startApp({ env, overrides: { clock, wrapStore } });
    clock.advance(50_000);
    expect((await swept.promise).areHeldOwnersVerified).toBe(expected);
  },
);

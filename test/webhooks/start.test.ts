import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { createWebhooks } from '../../src/webhooks/start-webhooks.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { operatorWebhook } from '../support/operator-webhook.ts';

test('no event is delivered before the files have started, whose addresses it has', async () => {
  const clock = createManualClock();
  const store = await createSqliteStore({ directory: ':memory:', clock });
  onTestFinished(() => store.close());
  const records = await store.setUpWebhooks({ operator: [operatorWebhook], forOwners: false });
  if (!records) throw new Error('webhooks are off');
  let rounds = 0;
  const webhooks = createWebhooks({
    config: { WEBHOOK_TIMEOUT_SECONDS: 1, OWNER_WEBHOOKS: 'off', MAX_ANSWER_BYTES: 65_536 },
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

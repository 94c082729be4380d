import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { sendRequest } from '../support/http.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startReceiver, webhookEnv } from '../support/webhook-receiver.ts';

test('records that do not answer do not hold up the page of metrics, which repeats no earlier figure', async () => {
  let isAway = false;
  const clock = createManualClock();
  const measured = Promise.withResolvers<void>();
  await using app = await startApp({
    env: { METRICS_ON_MAIN_PORT: 'true', ...webhookEnv([await startReceiver()]) },
    overrides: {
      clock,
      wrapStore: (store) => ({
        ...store,
        async setUpWebhooks(setup) {
          const records = await store.setUpWebhooks(setup);
          if (!records) return undefined;
          // As while the database is away.
          const measurePending: typeof records.measurePending = () => {
            if (!isAway) return records.measurePending();
            measured.resolve();
            return new Promise(() => {});
          };
          return { ...records, measurePending };
        },
      }),
    },
  });
  const read = () => sendRequest(app.url.replace('/graphql', '/metrics'));
  expect((await read()).text).toMatch(/^gengraph_webhook_pending 0$/m);
  isAway = true;
  const page = read();
  await measured.promise;
  clock.advance(1000);
  const { text } = await page;
  expect(text).toMatch(/^gengraph_ready \d$/m);
  expect(text).not.toMatch(/^gengraph_webhook_pending /m);
});

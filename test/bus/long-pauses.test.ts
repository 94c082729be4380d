import { expect, onTestFinished, test } from 'vitest';
import { createPostgresExchange } from '../../src/bus/postgres/postgres-exchange.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { connectTo, createDatabase } from '../support/postgres.ts';

test('an instance that was paused for so long that messages expired knows that some may be missing', async () => {
  const url = await createDatabase();
  const client = await connectTo(url);
  const connect = async (instanceId: string, at: string) => {
    await client.query('insert into instances (id, expires_at) values ($1, 0)', [instanceId]);
    const clock = createManualClock();
    const exchange = await createPostgresExchange({
      url: at,
      instanceId,
      clock,
      random: Math.random,
      timeoutMs: 10_000,
      renewLease: async () => {},
      onLost: () => {},
    });
    onTestFinished(() => exchange.close());
    return { exchange, clock };
  };
  const network = await startFreezingProxy(url);
  const sender = await connect('sender', url);
  const paused = await connect('paused', network.url);
  let gaps = 0;
  let messages = 0;
  paused.exchange.onGap(() => (gaps += 1));
  paused.exchange.listen('topic', () => (messages += 1));
  paused.clock.advance(1000);
  await paused.clock.waitForTimer(1000);
  expect(gaps).toBe(0);
  network.freeze();
  sender.exchange.send('topic', '1');
  sender.clock.advance(10);
  const count = async () => (await client.query('select 1 from instance_messages_1')).rows.length;
  await expect.poll(count).toBe(1);
  // Its sender deletes it after a minute.
  await client.query('delete from instance_messages_1');
  paused.clock.step(120_000);
  network.thaw();
  paused.clock.advance(1000);
  await paused.clock.waitForTimer(1000);
  expect({ gaps, messages }).toEqual({ gaps: 1, messages: 0 });
  paused.clock.advance(1000);
  await paused.clock.waitForTimer(1000);
  expect(gaps).toBe(1);
});

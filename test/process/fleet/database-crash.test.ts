import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { createRandom } from '../../support/random.ts';
import { startDatabaseServer } from '../../support/database-server.ts';
import {
  forEachLimited,
  intentsOf,
  isLong,
  type Outcome,
  pick,
  sendIntent,
  startFleetServer,
  waitUntilReady,
} from '../../support/fleet.ts';
import { startCountingGateway } from '../../support/counting-gateway.ts';

const creates = Number(process.env['CREATES'] ?? 1000);
const seed = Number(process.env['CRASH_SEED'] ?? 1);
const concurrency = 12;
/** Crashes during the creates. */
const crashes = 2;

describe('three servers on PostgreSQL', () => {
  beforeEach(({ skip }) =>
    skip(!isLong || process.platform !== 'linux', 'takes minutes: it runs in npm run test:long, on Linux'),
  );

  test(`lose no acknowledged create and send none twice when the database is killed in the middle of ${creates}`, async () => {
    const random = createRandom(seed);
    const [database, gateway] = [await startDatabaseServer(), await startCountingGateway(random)];
    const env = { DATABASE_URL: database.url, GATEWAY_URL: gateway.url };
    const servers = [await startFleetServer(env), await startFleetServer(env), await startFleetServer(env)];
    const intents = intentsOf(creates);

    const first = new Map<string, Outcome>();
    let crashed = 0;
    let crashing: Promise<void> = Promise.resolve();
    const crash = async (): Promise<void> => {
      await database.crash();
      await wait(500 + random() * 1000);
      await database.restart();
    };
    await forEachLimited(intents, concurrency, async (intent, index) => {
      if (crashed < crashes && index === Math.floor((creates / (crashes + 1)) * (crashed + 1))) {
        crashed += 1;
        crashing = crashing.then(crash);
      }
      first.set(intent, await sendIntent(pick(servers, index), intent));
    });
    await crashing;
    await waitUntilReady(servers);

    const counts: Record<string, number> = {};
    await forEachLimited(intents, concurrency, async (intent, index) => {
      const known = first.get(intent);
      const wasSent = gateway.count(intent) > 0;
      const again = await sendIntent(pick(servers, index + 1), intent);
      const stage = known?.id === undefined ? (wasSent ? 'in flight' : 'refused, not sent') : 'acknowledged';
      const label = `${intent}, ${stage}: ${JSON.stringify([known, again])}`;
      expect(again.id, label).toBe(known?.id ?? again.id);
      // Its record says that the outcome is unknown, unless the server could record the reply later.
      expect([undefined, 'OUTCOME_UNKNOWN'], label).toContain(again.code);
      expect(gateway.count(intent), label).toBeLessThanOrEqual(1);
      const result = again.id === undefined ? 'UNKNOWN' : wasSent ? 'same result' : 'created';
      const name = `${stage}${known?.id === undefined ? `, answered ${known?.code}` : ''}: ${result}`;
      counts[name] = (counts[name] ?? 0) + 1;
    });
    for (const intent of intents) expect(gateway.count(intent), intent).toBeLessThanOrEqual(1);
    expect(counts['acknowledged: same result']).toBeGreaterThan(creates / 4);
    process.stdout.write(
      `after ${crashes} kills of the database in ${creates} creates: ${JSON.stringify(counts)}\n`,
    );
  }, 600_000);
});

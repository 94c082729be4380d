import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createOrphanRecovery } from '../../src/generations/orphan-recovery.ts';
import { createRecordMaintenance } from '../../src/generations/record-maintenance.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Store } from '../../src/store/store.ts';
import { leaseMs, settleMs } from '../support/death-bound.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createDatabase } from '../support/postgres.ts';
import { owner, record } from '../store/support.ts';
import { sharingOf } from '../support/sharing.ts';

/** All intervals are multiples of it. */
const stepMs = 250;
const renewMs = 2500;

/** A server that does its regular work by a clock that waits for it. */
async function startServer(url: string, clock: ReturnType<typeof createManualClock>) {
  const store = await createPostgresStore({
    url,
    clock,
    leaseClock: (now = clock.now()) => sql<number>`${now}::bigint`,
    leaseTimer: clock.elapsed,
  });
  let calls = 0;
  const track =
    <Call extends (...args: never[]) => Promise<unknown>>(call: Call) =>
    async (...args: Parameters<Call>) => {
      calls += 1;
      try {
        return await call(...args);
      } finally {
        calls -= 1;
      }
    };
  // Each has the type of the method that it tracks.
  const tracked = {
    ...store,
    sharing: { ...sharingOf(store), renewLease: track(sharingOf(store).renewLease) },
    findOrphans: track(store.findOrphans),
    recover: track(store.recover),
    sweep: async () => ({ deleted: 0, generations: [] }),
  } as Store;
  const maintenance = createRecordMaintenance({
    store: tracked,
    recovery: createOrphanRecovery({ store: tracked, clock }),
    clock,
    keyMs: 1,
    generationMs: undefined,
    abandonment: () => ({ canRead: () => true, followedAfter: 0 }),
    checkPolls: async () => {},
    onError(error) {
      throw error;
    },
  });
  onTestFinished(async () => {
    await maintenance.close();
    await store.close();
  });
  await maintenance.start();
  return { store, maintenance, isBusy: () => calls > 0 };
}

test('the schedule of leases and checks settles the work of a killed server within one lease and two seconds, with one of them to spare', async () => {
  const url = await createDatabase();
  for (const phaseMs of [250, 1750]) {
    const clock = createManualClock();
    const killed = await startServer(url, clock);
    clock.advance(phaseMs);
    const other = await startServer(url, clock);
    const advance = async (milliseconds: number): Promise<void> => {
      for (let passed = 0; passed < milliseconds; passed += stepMs) {
        clock.advance(stepMs);
        do await new Promise((resolve) => setImmediate(resolve));
        while (killed.isBusy() || other.isBusy());
      }
    };
    // Before that, the other one does not judge leases. The longest wait is that after a renewal.
    await advance(5 * renewMs - phaseMs);
    const { id } = await record(killed.store, { finishedAt: undefined, status: 'RUNNING' });
    await killed.maintenance.close();
    const killedAt = clock.now();
    await advance(leaseMs + settleMs);
    const [settled] = await other.store.findSummaries(owner, [id]);
    expect(settled).toMatchObject({ status: 'FAILED', error: { code: 'INTERRUPTED' } });
    const settledMs = (settled?.finishedAt ?? Infinity) - killedAt;
    expect(settledMs).toBeGreaterThanOrEqual(leaseMs);
    expect(settledMs).toBeLessThanOrEqual(leaseMs + settleMs - 1000);
    await other.maintenance.close();
    for (const { store } of [killed, other]) await store.close();
  }
});

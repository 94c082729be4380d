import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { Records } from './records.ts';

/** With PostgreSQL, other servers settle the work of a dead one within one lease and two seconds. */
export const leaseMs = 10_000;
export const settleMs = 2000;
/** For a wait whose end `expectSettled` measures. */
export const deathTimeoutMs = 60_000;

export interface Death {
  /**
   * Fails unless the lease that the server left was as short as documented, and its work was settled within two seconds more,
   * apart from what the load of the machine explains. Call when the test has seen the end.
   */
  expectSettled(): Promise<void>;
}

/**
 * Waits until each server has renewed its lease. A server judges the leases of others one lease after its start at the earliest,
 * which may be later than the end of a lease that was renewed before.
 */
export async function waitForRenewals(query: Records['query']): Promise<void> {
  const [last] = await query('select max(expires_at) as time from instances');
  const old = `select id from instances where expires_at <= ${Number(last?.['time'])}`;
  await expect.poll(() => query(old), { interval: 50 }).toEqual([]);
}

/** Ends the life of a server. The clocks of servers, database and test are one. */
export async function measureDeath(query: Records['query'], end: () => unknown): Promise<Death> {
  await end();
  const diedAt = Date.now();
  const leases = await query('select id, expires_at from instances');
  const load = measureLoad(query);
  return {
    async expectSettled() {
      const settledAt = Date.now();
      await load.stop();
      const left = (await query('select id from instances')).map(({ id }) => id);
      const expiries = leases.filter(({ id }) => !left.includes(id)).map(({ expires_at: at }) => Number(at));
      expect(expiries).toHaveLength(1);
      const [expiredAt = NaN] = expiries;
      expect(expiredAt - diedAt).toBeLessThanOrEqual(leaseMs);
      expect(settledAt).toBeGreaterThanOrEqual(expiredAt);
      const delayMs = load.delaySince(expiredAt);
      const times = `settled ${settledAt - expiredAt} ms after the lease, with ${delayMs} ms of load`;
      expect(settledAt - diedAt - delayMs, times).toBeLessThan(leaseMs + settleMs);
    },
  };
}

const roundMs = 50;

/** Does what servers do to settle work, a timer and a statement, and measures how much longer this takes than the timer. */
function measureLoad(query: Records['query']) {
  const rounds: { readonly endedAt: number; readonly delayMs: number }[] = [];
  let isStopped = false;
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const startedAt = performance.now();
      await wait(roundMs);
      await query('select 1');
      rounds.push({ endedAt: Date.now(), delayMs: performance.now() - startedAt - roundMs });
    }
  };
  const running = run().catch(() => {});
  // The round in progress counts: what delays it has delayed the servers.
  const stop = (): Promise<void> => {
    isStopped = true;
    return running;
  };
  onTestFinished(stop);
  return {
    stop,
    delaySince: (time: number) =>
      rounds.filter(({ endedAt }) => endedAt > time).reduce((sum, { delayMs }) => sum + delayMs, 0),
  };
}

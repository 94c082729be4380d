import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type { CallbackLease } from '../../callback-records.ts';
import type { Writes } from '../basics/database.ts';
import type { LeaseClock } from '../instances/instances.ts';

export interface CallbackLeasesOptions {
  /** A connection for renewals and takeovers, which wait for nothing else. */
  readonly leaseWrites: Writes;
  readonly clock: Clock;
  readonly instanceId: string;
  readonly leaseClock: LeaseClock;
  readonly leaseTimer: () => number;
}

export interface CallbackLeases extends CallbackLease {
  /** SQL condition: the holder of a subscription may lose it. */
  isFree(): RawBuilder<boolean>;
  readonly writes: Writes;
}

/**
 * A router ends a subscription after 5 seconds without a post: another instance must begin to post before. The holder may die 2
 * seconds after its last post, just when it was to send a heartbeat.
 */
const leaseMs = 1500;
const intervalMs = 300;
/** After an outage of the database, all leases have expired: so long, the others have to renew theirs. */
const graceMs = 1000;
/** Subscriptions without any lease of their holder are searched less often, because that reads all of them. */
const ticksPerSearch = 50;

/**
 * Leases of the instances that post the events of callback subscriptions. They are shorter than those of work, because a
 * takeover loses nothing: it repeats at most one event. So, unlike those, they need no lock.
 */
export function createCallbackLeases(options: CallbackLeasesOptions): CallbackLeases {
  const { leaseWrites, clock, instanceId, leaseClock, leaseTimer } = options;
  let ticks = 0;
  let trustedAt = leaseTimer() + graceMs;
  let isFailing = false;
  /**
   * Notices outages of the database. A slow timer of this process is none: where processors are saturated, takeovers would wait
   * for it again and again.
   */
  const watched: Writes['statement'] = async (run) => {
    const startedAt = leaseTimer();
    try {
      const result = await leaseWrites.statement(run);
      if (isFailing || leaseTimer() - startedAt >= leaseMs) trustedAt = leaseTimer() + graceMs;
      isFailing = false;
      return result;
    } catch (error) {
      isFailing = true;
      throw error;
    }
  };
  /** After an outage, only those that were offered are certainly free. */
  const freeSince = () =>
    !isFailing && leaseTimer() >= trustedAt ? leaseClock(clock.now()) : sql<number>`0`;
  const hasCallbacks = sql<boolean>`exists (select 1 from callbacks where callbacks.holder = callback_leases.instance_id)`;
  return {
    intervalMs,
    isFree: () =>
      sql<boolean>`not exists (
        select 1 from callback_leases
        where callback_leases.instance_id = callbacks.holder and callback_leases.expires_at > ${freeSince()}
      )`,
    writes: leaseWrites,
    async renew() {
      const lease = { expires_at: sql<number>`${leaseClock(clock.now())} + ${sql.lit(leaseMs)}` };
      await watched((db) =>
        db
          .insertInto('callback_leases')
          .values({ instance_id: instanceId, ...lease })
          .onConflict((conflict) => conflict.column('instance_id').doUpdateSet(lease))
          .execute(),
      );
    },
    async offer() {
      await watched((db) =>
        db
          .updateTable('callback_leases')
          .set({ expires_at: 0 })
          .where('instance_id', '=', instanceId)
          .execute(),
      );
    },
    async hasFree() {
      if (ticks++ % ticksPerSearch === 0) {
        await watched((db) =>
          db
            .deleteFrom('callback_leases')
            .where('expires_at', '<=', freeSince())
            .where('instance_id', '<>', instanceId)
            .where(sql<boolean>`not ${hasCallbacks}`)
            .execute(),
        );
        return true;
      }
      const expired = await watched((db) =>
        db
          .selectFrom('callback_leases')
          .select('instance_id')
          .where('expires_at', '<=', freeSince())
          .where('instance_id', '<>', instanceId)
          .where(hasCallbacks)
          .limit(1)
          .executeTakeFirst(),
      );
      return expired !== undefined;
    },
  };
}

import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type { CallbackLease } from '../../callback-records.ts';
import type { Database, Writes } from '../basics/database.ts';
import type { LeaseClock } from '../instances/instances.ts';
import { createLeaseTrust } from '../instances/lease-trust.ts';

export interface CallbackLeasesOptions extends Pick<Database, 'reader'> {
  /** For renewals, which wait for nothing else. */
  readonly leaseWrites: Writes;
  readonly clock: Clock;
  readonly instanceId: string;
  readonly leaseClock: LeaseClock;
  readonly leaseTimer: () => number;
}

export interface CallbackLeases extends CallbackLease {
  /** SQL condition: the instance in this column may lose its subscriptions. */
  isFree(holder: 'holder'): RawBuilder<boolean>;
}

/** A router ends a subscription after 5 seconds without a post: another instance must begin to post before. */
const leaseMs = 2000;
const intervalMs = 400;
/** Subscriptions without any lease of their holder are searched less often, because that reads all of them. */
const ticksPerSearch = 50;

/**
 * Leases of the instances that post the events of callback subscriptions. They are shorter than those of work, because a
 * takeover loses nothing: it repeats at most one event. So, unlike those, they need no lock.
 */
export function createCallbackLeases(options: CallbackLeasesOptions): CallbackLeases {
  const { reader, leaseWrites, clock, instanceId, leaseClock } = options;
  const trust = createLeaseTrust({ leaseMs, elapsed: options.leaseTimer });
  let ticks = 0;
  /** After an outage of the database, all leases have expired: only those that were offered are certainly free. */
  const freeSince = () => (trust.isOverdue(true) ? leaseClock(clock.now()) : sql<number>`0`);
  const isFree = (holder: 'holder'): RawBuilder<boolean> =>
    sql<boolean>`not exists (
      select 1 from callback_leases
      where callback_leases.instance_id = ${sql.ref(`callbacks.${holder}`)} and callback_leases.expires_at > ${freeSince()}
    )`;
  return {
    intervalMs,
    isFree,
    async renew() {
      const lease = { expires_at: sql<number>`${leaseClock(clock.now())} + ${sql.lit(leaseMs)}` };
      await leaseWrites.statement((db) =>
        db
          .insertInto('callback_leases')
          .values({ instance_id: instanceId, ...lease })
          .onConflict((conflict) => conflict.column('instance_id').doUpdateSet(lease))
          .execute(),
      );
      trust.onRenewed();
    },
    async offer() {
      await leaseWrites.statement((db) =>
        db
          .updateTable('callback_leases')
          .set({ expires_at: 0 })
          .where('instance_id', '=', instanceId)
          .execute(),
      );
    },
    async hasFree() {
      if (ticks++ % ticksPerSearch === 0) {
        await leaseWrites.statement((db) =>
          db
            .deleteFrom('callback_leases')
            .where('expires_at', '<=', freeSince())
            .where('instance_id', '<>', instanceId)
            .where(
              sql<boolean>`not exists (select 1 from callbacks where callbacks.holder = callback_leases.instance_id)`,
            )
            .execute(),
        );
        trust.onRenewed();
        return true;
      }
      const expired = await reader
        .selectFrom('callback_leases')
        .select('instance_id')
        .where('expires_at', '<=', freeSince())
        .where('instance_id', '<>', instanceId)
        .where(
          sql<boolean>`exists (select 1 from callbacks where callbacks.holder = callback_leases.instance_id)`,
        )
        .limit(1)
        .executeTakeFirst();
      // An instance without subscriptions renews no lease, but learns as well that the database works.
      trust.onRenewed();
      return expired !== undefined;
    },
  };
}

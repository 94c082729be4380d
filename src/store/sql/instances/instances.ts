import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type { LeaseIntervals } from '../../sharing.ts';
import type { Store } from '../../store.ts';
import type { Database, Writes } from '../basics/database.ts';
import { prepareQuery } from '../basics/prepared-query.ts';
import type { Tables } from '../basics/tables.ts';
import { createLeaseTrust } from './lease-trust.ts';

/**
 * The time of leases in milliseconds, as an SQL expression. Of one clock for all instances. A prepared query passes its
 * placeholder for the time of the instance's clock, which a clock outside the database must use.
 */
export type LeaseClock = (now?: number) => RawBuilder<number>;

export interface InstancesOptions extends Database {
  /** For renewals of the lease. */
  readonly leaseWrites: Writes;
  readonly clock: Clock;
  readonly instanceId: string;
  /** An instance without its lock that does not renew its lease within this time is considered dead. */
  readonly leaseMs: number;
  readonly leaseClock: LeaseClock;
  /** Measures the intervals of renewals, with pauses of the process, in milliseconds. */
  readonly leaseTimer: () => number;
  readonly leaseIntervals: LeaseIntervals;
  /** Whether the clock of leases is the one to compare recorded times with, in place of `clock`. */
  readonly sharesTime: boolean;
  /**
   * SQL condition: the instance of a row of `instances` holds a lock of the database. It proves that a process is alive that
   * does not renew its lease: it is paused, or its network stands still.
   */
  readonly holdsLock: RawBuilder<boolean>;
}

export interface LiveInstance {
  readonly id: string;
  /** Whether it renews its lease. A frozen process does not. */
  readonly isResponsive: boolean;
}

/** The instances that share the records. */
export interface Instances {
  readonly leaseIntervals: LeaseIntervals;
  readonly leaseClock: LeaseClock;
  readonly now: NonNullable<Store['sharing']>['now'];
  readonly renewLease: NonNullable<Store['sharing']>['renewLease'];
  readonly holdsLock: NonNullable<Store['sharing']>['holdsLock'];
  endLease(): Promise<void>;
  /** SQL condition: the lease of this instance is valid. A prepared query passes its placeholder for the time, as to `LeaseClock`. */
  holdsLease(now?: number): RawBuilder<boolean>;
  /** Whether another instance is dead. Call within a transaction if writes depend on it. */
  isDead(db: Kysely<Tables>, id: string): Promise<boolean>;
  /** Finds the other instances that are alive. */
  findLive(): Promise<readonly LiveInstance[]>;
  /** Removes the dead instances, so that their work is orphaned. Writes only if there are any. */
  forgetDead(): Promise<void>;
}

interface Now {
  readonly now: number;
}

interface FoundInstance {
  readonly id: string;
  readonly is_expired: 0 | 1;
  readonly is_locked: 0 | 1;
}

export function createInstances(options: InstancesOptions): Instances {
  const { reader, writes, leaseWrites, clock, instanceId, leaseMs, leaseClock, leaseTimer, holdsLock } =
    options;
  const trust = createLeaseTrust({ leaseMs, elapsed: leaseTimer });
  /** The time of leases at the last renewal, and of the timer. */
  let renewed = { time: clock.now(), at: leaseTimer() };
  const putLease = prepareQuery((db, { now }: Now) => {
    const lease = { expires_at: sql<number>`${leaseClock(now)} + ${leaseMs}` };
    return db
      .insertInto('instances')
      .values({ id: instanceId, ...lease })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(lease))
      .returning('expires_at');
  });
  const selectInstances = (db: Kysely<Tables>, now?: number) => {
    const isExpired = sql<0 | 1>`case when expires_at <= ${leaseClock(now)} then 1 else 0 end`;
    const isLocked = sql<0 | 1>`case when ${holdsLock} then 1 else 0 end`;
    return db.selectFrom('instances').select(['id', isExpired.as('is_expired'), isLocked.as('is_locked')]);
  };
  /** Polls and the search for orphans need them, also on an idle server. */
  const selectOthers = prepareQuery((db, { now }: Now) =>
    selectInstances(db, now).where('id', '<>', instanceId),
  );
  const findOthers = async (): Promise<readonly FoundInstance[]> =>
    (await selectOthers(reader, { now: clock.now() })).rows;
  const isOverdue = ({ is_expired }: FoundInstance): boolean => trust.isOverdue(is_expired === 1);
  const isDead = (instance: FoundInstance): boolean => instance.is_locked === 0 && isOverdue(instance);
  return {
    leaseIntervals: options.leaseIntervals,
    leaseClock,
    now: () => (options.sharesTime ? Math.round(renewed.time + leaseTimer() - renewed.at) : clock.now()),
    async renewLease() {
      // The time of the statement: it may have waited for other writes.
      const { rows } = await leaseWrites.statement((db) => putLease(db, { now: clock.now() }));
      for (const { expires_at: end } of rows) renewed = { time: end - leaseMs, at: leaseTimer() };
      trust.onRenewed();
    },
    async holdsLock() {
      const own = await selectInstances(reader).where('id', '=', instanceId).executeTakeFirst();
      return own?.is_locked === 1;
    },
    async endLease() {
      await writes.statement((db) => db.deleteFrom('instances').where('id', '=', instanceId).execute());
    },
    holdsLease: (now) =>
      sql`exists (select 1 from instances where id = ${instanceId} and expires_at > ${leaseClock(now)})`,
    async isDead(db, id) {
      const instance = await selectInstances(db).where('id', '=', id).executeTakeFirst();
      return !instance || isDead(instance);
    },
    async findLive() {
      const live = (await findOthers()).filter((instance) => !isDead(instance));
      return live.map((instance) => ({ id: instance.id, isResponsive: !isOverdue(instance) }));
    },
    async forgetDead() {
      const dead = (await findOthers()).filter(isDead).map(({ id }) => id);
      if (dead.length === 0) return;
      await writes.statement((db) =>
        db
          .deleteFrom('instances')
          .where('id', 'in', dead)
          // An instance may have renewed its lease or taken its lock meanwhile.
          .where('expires_at', '<=', leaseClock())
          .where(sql<boolean>`not ${holdsLock}`)
          .execute(),
      );
    },
  };
}

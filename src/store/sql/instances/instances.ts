import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Store } from '../../store.ts';
import type { ReadLease } from './lease-watch.ts';
import { prepareQuery } from '../shared/prepared-query.ts';
import type { SqlStoreOptions } from '../sql-store.ts';
import type { CreationRow, Tables } from '../shared/tables.ts';

export interface InstanceRecords extends Pick<Store, 'renewLease' | 'isAlive'> {
  endLease(): Promise<void>;
}

export function createInstanceRecords(options: SqlStoreOptions): InstanceRecords {
  const {
    writes,
    leaseWrites = writes,
    instanceId,
    leaseMs,
    leaseClock,
    leases,
    checkShared,
    clock,
  } = options;
  const putLease = prepareQuery((db, { now }: Renewal) => {
    const lease = { expires_at: sql<number>`${leaseClock(now)} + ${leaseMs}` };
    return db
      .insertInto('instances')
      .values({ id: instanceId, ...lease })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(lease));
  });
  return {
    async renewLease() {
      checkShared();
      // The time of the statement: it may have waited for other writes.
      await leaseWrites.statement((db) => putLease(db, { now: clock.now() }));
      leases.onRenewed();
    },
    isAlive: async (instanceId) =>
      !(await isHolderDead(options.reader, { instance_id: instanceId }, options)),
    async endLease() {
      await writes.statement((db) => db.deleteFrom('instances').where('id', '=', instanceId).execute());
    },
  };
}

interface Renewal {
  readonly now: number;
}

/** SQL condition: the lease of this instance is valid. */
export function holdsLease({ instanceId, leaseClock }: SqlStoreOptions): RawBuilder<boolean> {
  return sql`exists (select 1 from instances where id = ${instanceId} and expires_at > ${leaseClock()})`;
}

/** Whether an instance is dead. Call within a transaction if writes depend on it. */
export async function isHolderDead(
  db: Kysely<Tables>,
  holder: Pick<CreationRow, 'instance_id'>,
  options: SqlStoreOptions,
): Promise<boolean> {
  if (holder.instance_id === options.instanceId) return false;
  const instance = await selectInstances(db, options).where('id', '=', holder.instance_id).executeTakeFirst();
  return !instance || isDead(instance, options);
}

function selectInstances(
  db: Kysely<Tables>,
  { leaseClock, holdsLock = sql<boolean>`1 = 0` }: SqlStoreOptions,
  now?: number,
) {
  const isExpired = sql<0 | 1>`case when expires_at <= ${leaseClock(now)} then 1 else 0 end`;
  const isLocked = sql<0 | 1>`case when ${holdsLock} then 1 else 0 end`;
  return db
    .selectFrom('instances')
    .select(['id', 'expires_at', isExpired.as('is_expired'), isLocked.as('is_locked')]);
}

type FoundInstance = ReadLease & { readonly is_locked: 0 | 1 };

/** Reads the other instances. Polls and the search for orphans need them, also on an idle server. */
function prepareOthers(options: SqlStoreOptions): () => Promise<readonly FoundInstance[]> {
  const { reader, instanceId, clock } = options;
  const findOthers = prepareQuery((db, { now }: Renewal) =>
    selectInstances(db, options, now).where('id', '<>', instanceId),
  );
  return async () => (await findOthers(reader, { now: clock.now() })).rows;
}

/** A held lock proves that a process is alive that does not renew its lease: it is paused, or its network stands still. */
function isDead(
  instance: FoundInstance,
  { lockStateOf, leases }: Pick<SqlStoreOptions, 'lockStateOf' | 'leases'>,
): boolean {
  const state = instance.is_locked === 1 ? 'held' : lockStateOf(instance.id);
  return state === 'free' || (state === 'unknown' && leases.isExpired(instance));
}

export interface LiveInstance {
  readonly id: string;
  /** Whether it renews its lease. A frozen process does not. */
  readonly isResponsive: boolean;
}

/** Finds the other instances that are alive. */
export function createFindLive(options: SqlStoreOptions): () => Promise<readonly LiveInstance[]> {
  const findOthers = prepareOthers(options);
  return async () =>
    (await findOthers())
      .filter((instance) => !isDead(instance, options))
      .map((instance) => ({ id: instance.id, isResponsive: !options.leases.isUnresponsive(instance) }));
}

/** Removes the dead instances, so that their work is orphaned. Writes only if there are any. */
export function createForgetDead(options: SqlStoreOptions): () => Promise<void> {
  const { writes, leaseClock, isLeaseRequired, holdsLock, leases, removeLock } = options;
  const findOthers = prepareOthers(options);
  return async () => {
    const others = await findOthers();
    leases.retain(others.map(({ id }) => id));
    const dead = others.filter((instance) => isDead(instance, options)).map(({ id }) => id);
    if (dead.length === 0) return;
    await writes.statement((db) =>
      db
        .deleteFrom('instances')
        .where('id', 'in', dead)
        // An instance may have renewed its lease or taken its lock meanwhile.
        .$if(isLeaseRequired, (query) => query.where('expires_at', '<=', leaseClock()))
        .$if(holdsLock !== undefined, (query) => query.where(sql<boolean>`not ${holdsLock}`))
        .execute(),
    );
    // After the commit: without its file, a lock is unknown.
    for (const id of dead) removeLock(id);
  };
}

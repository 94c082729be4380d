import type { Kysely } from 'kysely';
import type { Store } from '../store.ts';
import type { SqlStoreOptions } from './sql-store.ts';
import type { CreationRow, InstanceRow, Tables } from './tables.ts';

interface InstanceRecords extends Pick<Store, 'renewLease'> {
  endLease(): Promise<void>;
}

export function createInstanceRecords(options: SqlStoreOptions): InstanceRecords {
  const { writes, clock, instanceId, leaseMs, checkShared } = options;
  return {
    async renewLease() {
      checkShared();
      const expiresAt = clock.now() + leaseMs;
      await writes.statement((db) =>
        db
          .insertInto('instances')
          .values({ id: instanceId, expires_at: expiresAt })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ expires_at: expiresAt }))
          .execute(),
      );
    },
    async endLease() {
      await writes.statement((db) => db.deleteFrom('instances').where('id', '=', instanceId).execute());
    },
  };
}

/** Whether the instance that claimed a key is dead. Call within a transaction. */
export async function isHolderDead(
  db: Kysely<Tables>,
  holder: Pick<CreationRow, 'instance_id'>,
  options: SqlStoreOptions,
): Promise<boolean> {
  if (holder.instance_id === options.instanceId) return false;
  const instance = await db
    .selectFrom('instances')
    .selectAll()
    .where('id', '=', holder.instance_id)
    .executeTakeFirst();
  return !instance || isDead(instance, options);
}

/** A held lock is proof of life, even if the lease is not renewed: the process is paused. */
function isDead(
  instance: InstanceRow,
  { lockStateOf, leases }: Pick<SqlStoreOptions, 'lockStateOf' | 'leases'>,
): boolean {
  const state = lockStateOf(instance.id);
  return state === 'free' || (state === 'unknown' && leases.isExpired(instance));
}

/** Removes the dead instances, so that their work is orphaned. Writes only if there are any. */
export async function forgetDeadInstances(options: SqlStoreOptions): Promise<void> {
  const { reader, writes, instanceId, removeLock, leases } = options;
  const others = await reader.selectFrom('instances').selectAll().where('id', '<>', instanceId).execute();
  leases.retain(others.map(({ id }) => id));
  const dead = others.filter((instance) => isDead(instance, options)).map(({ id }) => id);
  if (dead.length === 0) return;
  await writes.statement((db) => db.deleteFrom('instances').where('id', 'in', dead).execute());
  // After the commit: without its file, a lock is unknown.
  for (const id of dead) removeLock(id);
}

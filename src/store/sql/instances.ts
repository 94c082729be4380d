import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Generation, GenerationPatch } from '../records.ts';
import type { Recovery, Store } from '../store.ts';
import { discardGeneration, hasEnded, patchGeneration } from './generations.ts';
import type { SqlStoreOptions } from './sql-store.ts';
import type { CreationRow, InstanceRow, Tables } from './tables.ts';

interface InstanceRecords extends Pick<Store, 'renewLease' | 'recover'> {
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
    async recover(recovery) {
      const { dead, changed } = await writes.transaction(async (transaction) => ({
        dead: await forgetDeadInstances(transaction, options),
        changed: [
          ...(await settleCreations(transaction, recovery, options)),
          ...(await interruptGenerations(transaction, recovery.interrupted, options)),
        ],
      }));
      // After the commit: without its file, a lock is unknown.
      for (const id of dead) options.removeLock(id);
      return changed;
    },
    async endLease() {
      await writes.statement((db) => db.deleteFrom('instances').where('id', '=', instanceId).execute());
    },
  };
}

/**
 * SQL condition: the instance of a creation or generation is registered. Call `forgetDeadInstances` first. The current
 * instance always counts as alive.
 */
function isRegistered({ instanceId }: SqlStoreOptions): RawBuilder<boolean> {
  return sql`(instance_id = ${instanceId} or exists (select 1 from instances where instances.id = instance_id))`;
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

/** A held lock is proof of life, even if the lease has expired: the process was paused, or a clock was set. */
function isDead(
  { id, expires_at }: InstanceRow,
  { clock, lockStateOf }: Pick<SqlStoreOptions, 'clock' | 'lockStateOf'>,
): boolean {
  const state = lockStateOf(id);
  return state === 'free' || (state === 'unknown' && expires_at <= clock.now());
}

/** Returns the ids of the dead instances. */
async function forgetDeadInstances(db: Kysely<Tables>, options: SqlStoreOptions): Promise<readonly string[]> {
  const others = await db.selectFrom('instances').selectAll().where('id', '<>', options.instanceId).execute();
  const dead = others.filter((instance) => isDead(instance, options)).map(({ id }) => id);
  for (const id of dead) await db.deleteFrom('instances').where('id', '=', id).execute();
  return dead;
}

async function settleCreations(
  db: Kysely<Tables>,
  { unknown }: Recovery,
  options: SqlStoreOptions,
): Promise<readonly Generation[]> {
  const orphans = await db
    .selectFrom('creations')
    .select(['id', 'subject_id', 'phase', 'key'])
    // Same expression as in the partial index, so that the index is used.
    .where(sql<boolean>`phase in ('CLAIMED', 'SENDING')`)
    .where((row) => row.not(isRegistered(options)))
    .execute();
  const changed: Generation[] = [];
  for (const { id, subject_id, phase, key } of orphans) {
    if (phase === 'CLAIMED' || key === null) await db.deleteFrom('creations').where('id', '=', id).execute();
    else await db.updateTable('creations').set({ phase: 'UNKNOWN' }).where('id', '=', id).execute();
    if (phase === 'CLAIMED') await discardGeneration(db, subject_id);
    else changed.push(...(await endIfRunning(db, subject_id, unknown)));
  }
  return changed;
}

async function interruptGenerations(
  db: Kysely<Tables>,
  interrupted: GenerationPatch,
  options: SqlStoreOptions,
): Promise<readonly Generation[]> {
  const orphans = await db
    .selectFrom('generations')
    .select('id')
    .where('instance_id', 'is not', null)
    .where((row) => row.not(isRegistered(options)))
    .execute();
  const changed: Generation[] = [];
  for (const { id } of orphans) changed.push(...(await endIfRunning(db, id, interrupted)));
  return changed;
}

/** Ends a generation unless it has ended, e.g. by a cancellation through another instance. */
async function endIfRunning(
  db: Kysely<Tables>,
  id: string,
  patch: GenerationPatch,
): Promise<readonly Generation[]> {
  if (await hasEnded(db, id)) return [];
  const generation = await patchGeneration(db, id, () => patch);
  return generation ? [generation] : [];
}

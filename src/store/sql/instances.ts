import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Generation, GenerationPatch } from '../records.ts';
import type { Recovery, Store } from '../store.ts';
import { discardGeneration, hasEnded, patchGeneration } from './generations.ts';
import type { SqlStoreOptions } from './sql-store.ts';
import type { Tables } from './tables.ts';

interface InstanceRecords extends Pick<Store, 'renewLease' | 'recover'> {
  endLease(): Promise<void>;
}

export function createInstanceRecords(options: SqlStoreOptions): InstanceRecords {
  const { writes, clock, instanceId, leaseMs } = options;
  return {
    async renewLease() {
      const expiresAt = clock.now() + leaseMs;
      await writes.statement((db) =>
        db
          .insertInto('instances')
          .values({ id: instanceId, expires_at: expiresAt })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ expires_at: expiresAt }))
          .execute(),
      );
    },
    recover: (recovery) =>
      writes.transaction(async (transaction) => {
        await forgetDeadInstances(transaction, options);
        return [
          ...(await settleCreations(transaction, recovery, options)),
          ...(await interruptGenerations(transaction, recovery.interrupted, options)),
        ];
      }),
    async endLease() {
      await writes.statement((db) => db.deleteFrom('instances').where('id', '=', instanceId).execute());
    },
  };
}

/**
 * SQL condition: the instance of a creation or generation holds its lease. The current instance always counts as alive, even
 * if it slept past its lease.
 */
export function isAlive({ instanceId, clock }: SqlStoreOptions): RawBuilder<boolean> {
  return sql`(instance_id = ${instanceId} or exists (
    select 1 from instances where instances.id = instance_id and instances.expires_at > ${clock.now()}
  ))`;
}

async function forgetDeadInstances(
  db: Kysely<Tables>,
  { clock, instanceId, isInstanceDead }: SqlStoreOptions,
): Promise<void> {
  const rows = await db.selectFrom('instances').selectAll().where('id', '<>', instanceId).execute();
  // Call `isInstanceDead` for every instance, because it also removes the lock file of a dead one.
  const dead = rows.filter(({ id, expires_at }) => isInstanceDead(id) || expires_at <= clock.now());
  for (const { id } of dead) await db.deleteFrom('instances').where('id', '=', id).execute();
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
    .where((row) => row.not(isAlive(options)))
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
    .where((row) => row.not(isAlive(options)))
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

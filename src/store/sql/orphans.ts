import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { GenerationPatch, GenerationSummary } from '../records.ts';
import type { Orphan, Recovery, Store } from '../store.ts';
import { discardGeneration, hasEnded, patchGeneration } from './generations.ts';
import { forgetDeadInstances } from './instances.ts';
import type { SqlStoreOptions } from './sql-store.ts';
import type { Tables } from './tables.ts';

export function createOrphanRecords(options: SqlStoreOptions): Pick<Store, 'findOrphans' | 'recover'> {
  const { reader, writes } = options;
  return {
    async findOrphans() {
      await forgetDeadInstances(options);
      const creations = await orphanedCreations(reader, options).select(['id', 'owner']).execute();
      const generations = await orphanedGenerations(reader, options).select(['id', 'owner']).execute();
      return [
        ...creations.map((row): Orphan => ({ ...row, type: 'creation' })),
        ...generations.map((row): Orphan => ({ ...row, type: 'generation' })),
      ];
    },
    recover: (orphans, recovery) =>
      writes.transaction(async (transaction) => {
        const idsOf = (type: Orphan['type']) =>
          orphans.filter((orphan) => orphan.type === type).map(({ id }) => id);
        return [
          ...(await settleCreations(transaction, { ids: idsOf('creation'), recovery, options })),
          ...(await interruptGenerations(transaction, { ids: idsOf('generation'), recovery, options })),
        ];
      }),
  };
}

function orphanedCreations(db: Kysely<Tables>, options: SqlStoreOptions) {
  return (
    db
      .selectFrom('creations')
      // Same expression as in the partial index, so that the index is used.
      .where(sql<boolean>`phase in ('CLAIMED', 'SENDING')`)
      .where((row) => row.not(isRegistered(options)))
  );
}

function orphanedGenerations(db: Kysely<Tables>, options: SqlStoreOptions) {
  return db
    .selectFrom('generations')
    .where('instance_id', 'is not', null)
    .where((row) => row.not(isRegistered(options)));
}

/**
 * SQL condition: the instance of a creation or generation is registered. The current instance always counts as alive.
 */
function isRegistered({ instanceId }: SqlStoreOptions): RawBuilder<boolean> {
  return sql`(instance_id = ${instanceId} or exists (select 1 from instances where instances.id = instance_id))`;
}

interface Settling {
  readonly ids: readonly string[];
  readonly recovery: Recovery;
  readonly options: SqlStoreOptions;
}

async function settleCreations(
  db: Kysely<Tables>,
  { ids, recovery, options }: Settling,
): Promise<readonly GenerationSummary[]> {
  if (ids.length === 0) return [];
  // Another instance may have settled some of them.
  const orphans = await orphanedCreations(db, options)
    .select(['id', 'subject_id', 'phase', 'key'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  const changed: GenerationSummary[] = [];
  for (const { id, subject_id, phase, key } of orphans) {
    if (phase === 'CLAIMED' || key === null) await db.deleteFrom('creations').where('id', '=', id).execute();
    else await db.updateTable('creations').set({ phase: 'UNKNOWN' }).where('id', '=', id).execute();
    if (phase === 'CLAIMED') await discardGeneration(db, subject_id);
    else changed.push(...(await endIfRunning(db, subject_id, recovery.unknown)));
  }
  return changed;
}

async function interruptGenerations(
  db: Kysely<Tables>,
  { ids, recovery, options }: Settling,
): Promise<readonly GenerationSummary[]> {
  if (ids.length === 0) return [];
  const orphans = await orphanedGenerations(db, options)
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  const changed: GenerationSummary[] = [];
  for (const { id } of orphans) changed.push(...(await endIfRunning(db, id, recovery.interrupted)));
  return changed;
}

/** Ends a generation unless it has ended, e.g. by a cancellation through another instance. */
async function endIfRunning(
  db: Kysely<Tables>,
  id: string,
  patch: GenerationPatch,
): Promise<readonly GenerationSummary[]> {
  if (await hasEnded(db, id)) return [];
  const generation = await patchGeneration(db, id, () => patch);
  return generation ? [generation] : [];
}

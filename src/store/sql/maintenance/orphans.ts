import { type Kysely, sql } from 'kysely';
import type { CreationPhase, GenerationSummary } from '../../records.ts';
import type { Orphan, Recovery, Store } from '../../store.ts';
import { lockChanges } from '../generations/changes.ts';
import { endGenerations } from './end-generations.ts';
import type { Instances } from '../instances/instances.ts';
import { isAlive } from '../instances/is-alive.ts';
import { prepareQuery } from '../basics/prepared-query.ts';
import type { Database } from '../basics/database.ts';
import type { Tables } from '../basics/tables.ts';

export interface OrphansOptions extends Database {
  readonly instanceId: string;
  /** Absent if one instance at a time uses the records: the work of all others is orphaned. */
  readonly instances?: Pick<Instances, 'forgetDead'> | undefined;
}

export function createOrphanRecords(options: OrphansOptions): Pick<Store, 'findOrphans' | 'recover'> {
  const { reader, writes, instances } = options;
  const findCreations = prepareQuery((db) => orphanedCreations(db, options).select(['id', 'owner']));
  const findGenerations = prepareQuery((db) => orphanedGenerations(db, options).select(['id', 'owner']));
  return {
    async findOrphans() {
      await instances?.forgetDead();
      const creations = await findCreations(reader, {});
      const generations = await findGenerations(reader, {});
      return [
        ...creations.rows.map((row): Orphan => ({ ...row, type: 'creation' })),
        ...generations.rows.map((row): Orphan => ({ ...row, type: 'generation' })),
      ];
    },
    recover: (orphans, recovery) =>
      writes.transaction(async (transaction) => {
        const idsOf = (type: Orphan['type']) =>
          orphans.filter((orphan) => orphan.type === type).map(({ id }) => id);
        const changed = [
          ...(await settleCreations(transaction, { ids: idsOf('creation'), recovery, options })),
          ...(await interruptGenerations(transaction, { ids: idsOf('generation'), recovery, options })),
        ];
        await lockChanges(transaction, changed);
        return changed;
      }),
  };
}

/** As in the partial index, so that the index is used. Earlier versions wrote CLAIMED before SENDING. */
const isUnderWay = sql<boolean>`creations.phase in ('CLAIMED', 'SENDING')`;

function orphanedCreations(db: Kysely<Tables>, options: OrphansOptions) {
  return db
    .selectFrom('creations')
    .where(isUnderWay)
    .where((row) => row.not(isAlive(options)));
}

/** Without those whose create was not settled: `settleCreations` settles these, and their outcome may be unknown. */
function orphanedGenerations(db: Kysely<Tables>, options: OrphansOptions) {
  return db
    .selectFrom('generations')
    .where('instance_id', 'is not', null)
    .where((row) => row.not(isAlive(options)))
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('creations')
            .select('creations.id')
            .whereRef('creations.subject_id', '=', 'generations.id')
            .where(isUnderWay),
        ),
      ),
    );
}

interface Settling {
  readonly ids: readonly string[];
  readonly recovery: Recovery;
  readonly options: OrphansOptions;
}

async function settleCreations(
  db: Kysely<Tables>,
  { ids, recovery, options }: Settling,
): Promise<readonly GenerationSummary[]> {
  if (ids.length === 0) return [];
  // Another instance may have settled some of them.
  const orphans = await orphanedCreations(db, options)
    .select(['id', 'subject_id'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  const subjects = orphans.map(({ subject_id }) => subject_id);
  const changed = await endGenerations(db, subjects, recovery.unknown);
  const known = await findKnownOutcomes(db, subjects);
  const isKnown = (orphan: { readonly subject_id: string }): boolean => known.has(orphan.subject_id);
  await setPhase(db, toIds(orphans.filter(isKnown)), 'SETTLED');
  // Also without a key: an instance that is alive settles it later.
  await setPhase(db, toIds(orphans.filter((orphan) => !isKnown(orphan))), 'UNKNOWN');
  return changed;
}

/**
 * The generations whose instance recorded how the gateway's reply ended, although not that the gateway had accepted the create. A
 * cancellation can be recorded before there is a reply.
 */
async function findKnownOutcomes(db: Kysely<Tables>, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('generations')
    .select('id')
    .where('id', 'in', ids)
    .where('finished_at', 'is not', null)
    .where('status', 'in', ['SUCCEEDED', 'FAILED'])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

function toIds(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id);
}

async function setPhase(db: Kysely<Tables>, ids: readonly string[], phase: CreationPhase): Promise<void> {
  if (ids.length > 0) await db.updateTable('creations').set({ phase }).where('id', 'in', ids).execute();
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
  return endGenerations(db, toIds(orphans), recovery.interrupted);
}

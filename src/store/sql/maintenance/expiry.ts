import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import { aheadMs } from '../../sharing.ts';
import type { Expiry, RemovedGeneration, Store, Swept } from '../../store.ts';
import { abandonmentColumns, isAbandoned } from '../generations/abandoned.ts';
import { lockChanges, sweepChanges } from '../generations/changes.ts';
import { isRefused } from '../creations/refused-creations.ts';
import { deleteGenerationRows, lockTasks } from '../generations/generation-writes.ts';
import type { Instances } from '../instances/instances.ts';
import type { Writes } from '../basics/database.ts';
import type { GenerationRow, Tables } from '../basics/tables.ts';

export interface ExpiryOptions {
  readonly writes: Writes;
  readonly clock: Pick<Clock, 'now'>;
  readonly instances?: Pick<Instances, 'now'> | undefined;
}

/** @param more sweeps after those of the records of owners */
export function createExpiry(options: ExpiryOptions, more: readonly Sweep[]): Pick<Store, 'sweep'> {
  const { writes } = options;
  const sweeps = [sweepKeys, sweepRefused, sweepEnded, sweepAbandoned, sweepAdoptedTasks, ...more];
  return {
    async sweep(given) {
      const expiry = toShared(given, options);
      const { changesBefore } = expiry;
      const swept = await writes.transaction(async (transaction) => {
        let remaining = expiry.limit;
        const generations: RemovedGeneration[] = [];
        for (const sweep of sweeps) {
          if (remaining <= 0) break;
          const part = await sweep(transaction, { ...expiry, limit: remaining });
          remaining -= part.deleted;
          generations.push(...part.generations);
        }
        await lockChanges(transaction, generations);
        return { deleted: expiry.limit - remaining, generations };
      });
      const limit = given.limit - swept.deleted;
      if (changesBefore === undefined || limit <= 0) return swept;
      const changes = await writes.statement((db) => sweepChanges(db, { changesBefore, limit }));
      return { ...swept, deleted: swept.deleted + changes };
    },
  };
}

/** What has expired by the clock of all instances too: an instance whose clock is ahead would delete what the others keep. */
function toShared(expiry: Expiry, { clock, instances }: ExpiryOptions): Expiry {
  const earlierMs = Math.max(0, aheadMs({ sharing: instances }, clock));
  const toTime = (time: number | undefined): number | undefined => time && time - earlierMs;
  return {
    ...expiry,
    keysBefore: expiry.keysBefore - earlierMs,
    refusedBefore: toTime(expiry.refusedBefore),
    generationsBefore: toTime(expiry.generationsBefore),
    changesBefore: toTime(expiry.changesBefore),
    webhooksBefore: toTime(expiry.webhooksBefore),
  };
}

/** Deletes at most `limit` expired records. */
export type Sweep = (db: Kysely<Tables>, expiry: Expiry) => Promise<Swept>;

/** Unfinished generations that one sweep reads, at most, and one statement. */
const maxScannedRecords = 10_000;
const scannedAtOnce = 1000;

const nothing: Swept = { deleted: 0, generations: [] };

const sweepKeys: Sweep = async (db, { keysBefore, limit }) => {
  const expired = db
    .selectFrom('creations')
    .where('created_at', '<', keysBefore)
    .where('phase', 'in', ['SETTLED', 'UNKNOWN'])
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('generations')
            .select(sql<number>`1`.as('one'))
            .whereRef('generations.id', '=', 'creations.subject_id')
            .where('generations.instance_id', 'is not', null),
        ),
      ),
    );
  return deleteOldest(db, expired, limit);
};

const sweepRefused: Sweep = async (db, { refusedBefore, limit }) => {
  if (refusedBefore === undefined) return nothing;
  const expired = db.selectFrom('creations').where(isRefused).where('created_at', '<', refusedBefore);
  return deleteOldest(db, expired, limit);
};

/** Deletes the oldest of these creations. Skips rows that another server works on. */
async function deleteOldest(
  db: Kysely<Tables>,
  creations: SelectQueryBuilder<Tables, 'creations', object>,
  limit: number,
): Promise<Swept> {
  const rows = await creations
    .select('id')
    .orderBy('created_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('creations').where('id', 'in', ids).execute();
  return { deleted: ids.length, generations: [] };
}

const sweepEnded: Sweep = async (db, { generationsBefore, limit }) => {
  if (generationsBefore === undefined) return nothing;
  const expired = db
    .selectFrom('generations')
    .where('finished_at', 'is not', null)
    .where('finished_at', '<', generationsBefore);
  return deleteExpired(db, expired, await expired.select('id').orderBy('finished_at').limit(limit).execute());
};

const sweepAbandoned: Sweep = async (db, { generationsBefore, limit, ...abandonment }) => {
  if (generationsBefore === undefined) return nothing;
  const expired = db
    .selectFrom('generations')
    .where('finished_at', 'is', null)
    .where('instance_id', 'is', null)
    .where('created_at', '<', generationsBefore);
  const abandoned: Pick<GenerationRow, 'id'>[] = [];
  // Old tasks that are still polled may come first.
  for (let start = 0; start < maxScannedRecords && abandoned.length < limit; start += scannedAtOnce) {
    const rows = await expired
      .select(['id', ...abandonmentColumns])
      .orderBy('created_at')
      .limit(scannedAtOnce)
      .offset(start)
      .execute();
    abandoned.push(...rows.filter((row) => isAbandoned(row, abandonment)));
    if (rows.length < scannedAtOnce) break;
  }
  return deleteExpired(db, expired, abandoned.slice(0, limit));
};

/** Tasks created outside this API and only read through it. */
const sweepAdoptedTasks: Sweep = async (db, { generationsBefore, limit }) => {
  if (generationsBefore === undefined) return nothing;
  const rows = await db
    .selectFrom('tasks')
    .select(['owner', 'id'])
    .where('generation_id', 'is', null)
    .where('updated_at', '<', generationsBefore)
    .orderBy('updated_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  for (const { owner, id } of rows)
    await db.deleteFrom('tasks').where('owner', '=', owner).where('id', '=', id).execute();
  return { deleted: rows.length, generations: [] };
};

/** Deletes the candidates that are still expired when their rows are locked. */
async function deleteExpired(
  db: Kysely<Tables>,
  expired: SelectQueryBuilder<Tables, 'generations', object>,
  candidates: readonly Pick<GenerationRow, 'id'>[],
): Promise<Swept> {
  if (candidates.length === 0) return nothing;
  const ids = candidates.map(({ id }) => id);
  await lockTasks(db, ids);
  const rows = await expired.select('id').where('id', 'in', ids).forUpdate().execute();
  const generations = await deleteGenerationRows(
    db,
    rows.map(({ id }) => id),
  );
  return { deleted: rows.length, generations };
}

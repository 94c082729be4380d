import type { Kysely } from 'kysely';
import type { Abandonment, RecordLimits, Room, Store } from '../../store.ts';
import { abandonmentColumns, isAbandoned } from '../generations/abandoned.ts';
import { deleteGenerations, lockTasks } from '../generations/generation-writes.ts';
import { lockName } from '../shared/lock-name.ts';
import { measureRecords } from '../owners/owner-records.ts';
import type { Database } from '../shared/database.ts';
import type { GenerationRow, Tables } from '../shared/tables.ts';

/** Bounds the time of one transaction. A single larger generation is deleted too. */
const maxBatchBytes = 32_000_000;
const maxBatchRecords = 200;
const maxScannedRecords = 10_000;
/** Deletes a hundredth more than needed, so that not every create has to delete. */
const spareShare = 100;

export interface RoomOfOwnersOptions extends Database {
  /** @default no limits */
  readonly recordLimits?: RecordLimits | undefined;
}

export function createRoom({
  reader,
  writes,
  recordLimits,
}: RoomOfOwnersOptions): Pick<Store, 'makeRoom' | 'measureRecords'> {
  return {
    measureRecords: (owner) => measureRecords(reader, owner),
    async makeRoom(owner, abandonment, deadline) {
      if (!recordLimits) return { hasRoom: true, generations: [] };
      return writes.transaction((db) => makeRoom(db, { owner, abandonment, limits: recordLimits }), deadline);
    },
  };
}

interface RoomOptions {
  readonly owner: string;
  readonly abandonment: Abandonment;
  readonly limits: RecordLimits;
}

async function makeRoom(db: Kysely<Tables>, options: RoomOptions): Promise<Room> {
  const { owner, limits } = options;
  // Concurrent creates of one owner do not delete more than one of them needs.
  await lockName(db, ['room', owner]);
  const { records, bytes } = await measureRecords(db, owner);
  // The next create adds one record, and any number of bytes to a total below the limit.
  if (records < limits.maxRecords && bytes < limits.maxBytes) return { hasRoom: true, generations: [] };
  const spareRecords = Math.min(Math.floor(limits.maxRecords / spareShare), maxBatchRecords - 1);
  const chosen = choose(await findDeletable(db, options), {
    records: records + 1 + spareRecords - limits.maxRecords,
    bytes: bytes + 1 + Math.floor(limits.maxBytes / spareShare) - limits.maxBytes,
  });
  const locked = await lockUnchanged(db, chosen);
  await deleteGenerations(
    db,
    locked.map(({ id }) => id),
  );
  const visible = locked.filter(({ is_visible }) => is_visible === 1);
  return { hasRoom: chosen.length > 0, generations: visible.map(({ id }) => ({ id, owner })) };
}

type Candidate = Pick<GenerationRow, 'id' | 'is_visible' | 'size_bytes' | 'finished_at'>;

/** The first candidates that free both amounts, as far as one batch may. */
function choose(
  candidates: readonly Candidate[],
  needed: { readonly records: number; readonly bytes: number },
): readonly Candidate[] {
  const chosen: Candidate[] = [];
  let bytes = 0;
  for (const candidate of candidates) {
    const isEnough = chosen.length >= needed.records && bytes >= needed.bytes;
    const isFull = chosen.length >= maxBatchRecords || bytes + candidate.size_bytes > maxBatchBytes;
    if (isEnough || (chosen.length > 0 && isFull)) break;
    chosen.push(candidate);
    bytes += candidate.size_bytes;
  }
  return chosen;
}

/** Locks the rows. Leaves out those that were deleted, ended or revived meanwhile. */
async function lockUnchanged(
  db: Kysely<Tables>,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  if (candidates.length === 0) return [];
  const ids = candidates.map(({ id }) => id);
  await lockTasks(db, ids);
  const rows = await db
    .selectFrom('generations')
    .select(['id', 'finished_at'])
    .where('id', 'in', ids)
    .forUpdate()
    .execute();
  const ends = new Map(rows.map((row) => [row.id, row.finished_at]));
  return candidates.filter(({ id, finished_at }) => ends.get(id) === finished_at);
}

/** Generations that have ended or are abandoned, oldest first. */
async function findDeletable(
  db: Kysely<Tables>,
  { owner, abandonment }: RoomOptions,
): Promise<readonly Candidate[]> {
  const ended = await db
    .selectFrom('generations')
    .select(['id', 'is_visible', 'size_bytes', 'finished_at', 'finished_at as since'])
    .where('owner', '=', owner)
    .where('finished_at', 'is not', null)
    .orderBy('finished_at')
    .orderBy('id')
    .limit(maxBatchRecords)
    .execute();
  const unfinished = await db
    .selectFrom('generations')
    .select(['id', 'is_visible', 'size_bytes', 'finished_at', 'created_at as since', ...abandonmentColumns])
    .where('owner', '=', owner)
    .where('finished_at', 'is', null)
    .where('task_id', 'is not', null)
    .where('instance_id', 'is', null)
    .orderBy('created_at')
    // If nothing has ended, the create depends on an abandoned one.
    .limit(ended.length > 0 ? maxBatchRecords : maxScannedRecords)
    .execute();
  const abandoned = unfinished.filter((row) => isAbandoned(row, abandonment));
  return [...ended, ...abandoned].toSorted((a, b) => (a.since ?? 0) - (b.since ?? 0));
}

import type { Kysely } from 'kysely';
import { createQueues } from '../../../lib/fairness/queues.ts';
import type { RecordLimits, Room, RoomOptions, Store } from '../../store.ts';
import { deleteGenerationRows, lockTasks } from '../generations/generation-writes.ts';
import { lockNames } from '../basics/lock-name.ts';
import { measureRecords } from '../owners/owner-records.ts';
import type { Database } from '../basics/database.ts';
import type { Tables } from '../basics/tables.ts';
import { type Candidate, findDeletable, type Unit } from './deletable.ts';

/** Bounds the time of one transaction. A single larger generation is deleted too. */
const maxBatchBytes = 32_000_000;
const maxBatchRecords = 200;
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
  // Those that wait for another one of their owner wait without a connection, which other owners need.
  const queue = createQueues(1);
  return {
    measureRecords: (owner) => measureRecords(reader, owner),
    async makeRoom(owner, { deadline, ...options }) {
      if (!recordLimits) return { hasRoom: true, generations: [] };
      const make = (db: Kysely<Tables>) => makeRoom(db, { ...options, owner, limits: recordLimits });
      return queue(owner, () => writes.transaction(make, deadline));
    },
  };
}

interface RoomRequest extends Pick<RoomOptions, 'abandonment' | 'keptRootId'> {
  readonly owner: string;
  readonly limits: RecordLimits;
}

async function makeRoom(db: Kysely<Tables>, options: RoomRequest): Promise<Room> {
  const { owner, limits } = options;
  // Concurrent creates of one owner do not delete more than one of them needs.
  await lockNames(db, [['room', owner]]);
  const { records, bytes } = await measureRecords(db, owner);
  // The next create adds one record, and any number of bytes to a total below the limit.
  if (records < limits.maxRecords && bytes < limits.maxBytes) return { hasRoom: true, generations: [] };
  const spareRecords = Math.min(Math.floor(limits.maxRecords / spareShare), maxBatchRecords - 1);
  const chosen = choose(await findDeletable(db, { ...options, limit: maxBatchRecords }), {
    records: records + 1 + spareRecords - limits.maxRecords,
    bytes: bytes + 1 + Math.floor(limits.maxBytes / spareShare) - limits.maxBytes,
  });
  const locked = await lockUnchanged(db, chosen);
  const generations = await deleteGenerationRows(
    db,
    locked.map(({ id }) => id),
  );
  return { hasRoom: chosen.length > 0, generations };
}

/** The first units that free both amounts, as far as one batch may. Only a unit larger than a batch is divided. */
function choose(
  units: readonly Unit[],
  needed: { readonly records: number; readonly bytes: number },
): readonly Candidate[] {
  const chosen: Candidate[] = [];
  let bytes = 0;
  const fits = (unit: Unit): boolean =>
    chosen.length + unit.length <= maxBatchRecords &&
    bytes + unit.reduce((sum, { size_bytes: size }) => sum + size, 0) <= maxBatchBytes;
  const add = (candidate: Candidate): void => {
    chosen.push(candidate);
    bytes += candidate.size_bytes;
  };
  for (const unit of units) {
    if (chosen.length >= needed.records && bytes >= needed.bytes) break;
    if (fits(unit)) {
      for (const candidate of unit) add(candidate);
      continue;
    }
    for (const candidate of chosen.length > 0 ? [] : unit) {
      if (chosen.length > 0 && !fits([candidate])) break;
      add(candidate);
    }
    break;
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

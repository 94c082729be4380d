import { type Insertable, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type { FileRecords } from '../../file-records.ts';
import type { Database } from '../basics/database.ts';
import { lockNames } from '../basics/lock-name.ts';
import type { Tables } from '../basics/tables.ts';
import { lockChanges } from '../generations/changes.ts';
import { isFree, type LivenessOptions } from '../instances/is-alive.ts';
import type { TaskCache } from '../tasks/task-cache.ts';
import { countRemoved, readSum } from './file-sums.ts';

export interface FileRecordsOptions extends Database, LivenessOptions {
  readonly clock: Clock;
  readonly tasks: TaskCache;
}

type FileDeletions = Pick<
  FileRecords,
  'makeRoom' | 'findDeletions' | 'release' | 'finishDeletions' | 'findUnknown'
>;

/** Objects that one transaction removes, at most. */
const maxRemoved = 100;

/**
 * A key is noted in the transaction that removes its last reference, and deleted from the store afterwards. A crash in between
 * leaves the note.
 */
export function createFileDeletions(options: FileRecordsOptions): FileDeletions {
  const { reader, writes } = options;
  return {
    makeRoom: (owner, scope, maxBytes) =>
      writes.transaction((db) => removeOldest(db, scope === 'owner' ? owner : undefined, maxBytes)),
    async findDeletions(limit, skipped) {
      const rows = await reader
        .selectFrom('file_deletions')
        .select('key')
        .where(isFree(options))
        .orderBy('key')
        .limit(limit)
        .offset(skipped)
        .execute();
      return rows.map(({ key }) => key);
    },
    release: (keys) =>
      keys.length === 0 ? Promise.resolve([]) : writes.transaction((db) => release(db, keys)),
    async finishDeletions(keys) {
      if (keys.length > 0)
        await writes.statement((db) => db.deleteFrom('file_deletions').where('key', 'in', keys).execute());
    },
    async findUnknown(keys) {
      if (keys.length === 0) return [];
      // An upload may be written under a key of its own.
      const idOf = new Map(keys.map((key) => [key, key.replace(/\.new$/, '')]));
      const ids = [...idOf.values()];
      const known = await reader
        .selectFrom('file_objects')
        .select('key')
        .where('key', 'in', keys)
        .union(reader.selectFrom('files').select('id as key').where('id', 'in', ids))
        .union(reader.selectFrom('file_deletions').select('key').where('key', 'in', keys))
        .execute();
      const names = new Set(known.map(({ key }) => key));
      return keys.filter((key) => !names.has(key) && !names.has(idOf.get(key) ?? key));
    },
  };
}

/** Call within the transaction that removes references to these keys. */
export async function noteDeletions(
  db: Kysely<Tables>,
  rows: readonly Insertable<Tables['file_deletions']>[],
): Promise<void> {
  await db
    .insertInto('file_deletions')
    .values([...rows])
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
}

/** The keys that a file may have in the store: its own, which its instance may be writing, and that of its object. */
export function keysOfFile({
  id,
  object_key: other,
  instance_id,
}: Pick<Selectable<Tables['files']>, 'id' | 'object_key' | 'instance_id'>): readonly Insertable<
  Tables['file_deletions']
>[] {
  const own = { key: id, instance_id };
  return other === null || other === id ? [own] : [own, { key: other, instance_id: null }];
}

/** Objects are locked before their references are read: a new reference locks the object too. */
async function release(db: Kysely<Tables>, keys: readonly string[]): Promise<readonly string[]> {
  const objects = await db
    .selectFrom('file_objects')
    .select(['key', 'owner', 'size_bytes'])
    .where('key', 'in', keys)
    .orderBy('key')
    .forUpdate()
    .execute();
  const used = await db
    .selectFrom('files')
    .select(sql<string>`coalesce(object_key, id)`.as('key'))
    .where((row) =>
      row.or([
        row('object_key', 'in', keys),
        row.and([row('id', 'in', keys), row('object_key', 'is', null)]),
      ]),
    )
    .where('state', '<>', 'FAILED')
    .execute();
  const kept = new Set(used.map(({ key }) => key));
  const removed = objects.filter(({ key }) => !kept.has(key));
  if (removed.length > 0) {
    const names = removed.map(({ key }) => key);
    await db.deleteFrom('file_objects').where('key', 'in', names).execute();
    await countRemoved(db, removed);
  }
  if (kept.size > 0)
    await db
      .deleteFrom('file_deletions')
      .where('key', 'in', [...kept])
      .execute();
  return keys.filter((key) => !kept.has(key));
}

/** A change of the files of these generations, for the feed. */
export async function noteChange(
  db: Kysely<Tables>,
  generationIds: readonly string[],
  more: { readonly files_due_at?: RawBuilder<number | null> } = {},
): Promise<void> {
  await db
    .updateTable('generations')
    // Sets a column that the trigger of changes watches.
    .set({ size_bytes: sql<number>`size_bytes`, ...more })
    .where('id', 'in', generationIds)
    .execute();
}

/** Removes until so many bytes remain, as far as one transaction can. */
async function removeOldest(
  db: Kysely<Tables>,
  owner: string | undefined,
  maxBytes: number,
): Promise<boolean> {
  // One after the other: each locks more than it removes, and the next one would find nothing else.
  await lockNames(db, [['room for files']]);
  const excess = (await readSum(db, owner)) - maxBytes;
  // Another one has made room.
  if (excess <= 0) return true;
  const oldest = await db
    .selectFrom('file_objects')
    .select(['key', 'owner', 'size_bytes'])
    .$if(owner !== undefined, (query) => query.where('owner', '=', owner ?? ''))
    .orderBy('stored_at')
    .limit(maxRemoved)
    .forUpdate()
    .skipLocked()
    .execute();
  const removed: typeof oldest = [];
  let freed = 0;
  for (const object of oldest) {
    if (freed >= excess) break;
    removed.push(object);
    freed += object.size_bytes;
  }
  if (removed.length === 0) return false;
  const keys = removed.map(({ key }) => key);
  const files = await db
    .updateTable('files')
    .set({ state: 'FAILED', failure: 'REMOVED', object_key: null })
    .where('object_key', 'in', keys)
    .returning('generation_id')
    .execute();
  await db.deleteFrom('file_objects').where('key', 'in', keys).execute();
  await countRemoved(db, removed);
  await noteDeletions(
    db,
    keys.map((key) => ({ key, instance_id: null })),
  );
  const generationIds = files.flatMap(({ generation_id: id }) => id ?? []);
  if (generationIds.length > 0) await noteChange(db, generationIds);
  await lockChanges(db, removed);
  return true;
}

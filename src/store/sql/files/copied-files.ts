import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  type ClaimedFile,
  type CommitResult,
  type CommittedFile,
  type FileContent,
  type FileLimits,
  type FileRecords,
  maxPostponedMs,
} from '../../file-records.ts';
import { stringifyJson } from '../../../lib/json.ts';
import { minuteMs } from '../../../lib/time.ts';
import type { PendingWork } from '../../../metrics/pending-figures.ts';
import type { Tables } from '../basics/tables.ts';
import { isFree } from '../instances/is-alive.ts';
import { type FileRecordsOptions, noteChange, noteDeletions } from './file-deletions.ts';
import { countStored, FilesFullError } from './file-sums.ts';
import { fromSource } from './planned-files.ts';

/** Files are recorded within seconds. Generations that are due for longer could not be read or planned. */
const overdueMs = minuteMs;

type CopiedFiles = Pick<
  FileRecords,
  'claim' | 'measurePending' | 'findSame' | 'commit' | 'postpone' | 'hasten' | 'fail'
>;

/** The copies of files. An instance holds the files that name it, while it is alive. */
export function createCopiedFiles(options: FileRecordsOptions): CopiedFiles {
  const { reader, writes, instanceId } = options;
  /** Changes a file that this instance still copies. */
  const update = (db: Kysely<Tables>, { id }: Pick<ClaimedFile, 'id'>, changes: object): Promise<unknown> =>
    db
      .updateTable('files')
      .set({ ...changes, instance_id: null })
      .where('id', '=', id)
      .where('instance_id', '=', instanceId)
      .where('state', '=', 'PENDING')
      .execute();
  return {
    async claim(now, { limit, active, except = [] }) {
      const isActive = active.size > 0 ? sql<boolean>`id in (${sql.join([...active])})` : sql<boolean>`1 = 0`;
      const rows = await writes.statement((db) =>
        db
          .updateTable('files')
          .set({ instance_id: instanceId, attempts: sql<number>`attempts + 1` })
          .where('id', 'in', (files) =>
            files
              .selectFrom('files')
              .select('id')
              // Same expression as in the partial index, so that the index is used.
              .where(sql<boolean>`state = 'PENDING'`)
              .where('due_at', '<=', now)
              .where(isFree(options))
              .where(sql<boolean>`not ${isActive}`)
              .where('generation_id', 'is not', null)
              .where((row) => row.and(except.map(hasOtherStart)))
              .orderBy('due_at')
              .limit(limit)
              .forUpdate()
              .skipLocked(),
          )
          .returning(['id', 'owner', 'generation_id', 'position', 'source', 'attempts', 'created_at'])
          .execute(),
      );
      return rows.map((row): ClaimedFile => ({
        id: row.id,
        owner: row.owner,
        generationId: row.generation_id ?? '',
        position: row.position ?? 0,
        sourceUrl: fromSource(row.source),
        attempts: row.attempts,
        createdAt: row.created_at,
      }));
    },
    measurePending: () => measurePending(reader, options.clock.now()),
    findSame: (owner, hash) => findSame(reader, { owner, hash }),
    async commit(file, content) {
      try {
        return await writes.transaction((db) => commit(db, { file, content, instanceId }));
      } catch (error) {
        if (error instanceof FilesFullError) return { type: 'FULL', scope: error.scope };
        throw error;
      }
    },
    async postpone(file, dueAt) {
      await writes.statement((db) => update(db, file, { due_at: dueAt }));
    },
    async hasten(now) {
      await writes.statement((db) =>
        db
          .updateTable('files')
          .set({ due_at: now })
          // Same expression as in the partial index, so that the index is used.
          .where(sql<boolean>`state = 'PENDING'`)
          .where('due_at', '>', now + maxPostponedMs)
          .execute(),
      );
    },
    async fail(file, failure) {
      const { generationId } = file;
      await writes.transaction(async (db) => {
        await lockGeneration(db, generationId);
        await update(db, file, { state: 'FAILED', failure });
        const isInline = file.sourceUrl === undefined;
        await noteSettled(db, generationId, { isInline, now: options.clock.now() });
      });
    },
  };
}

async function measurePending(db: Kysely<Tables>, now: number): Promise<PendingWork> {
  const [recorded, due] = await Promise.all([
    db
      .selectFrom('files')
      .select((files) => [files.fn.countAll<number>().as('count'), files.fn.min('created_at').as('since')])
      // Same expression as in the partial index, so that the index is used.
      .where(sql<boolean>`state = 'PENDING'`)
      .where('generation_id', 'is not', null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('generations')
      .select((rows) => [rows.fn.countAll<number>().as('count'), rows.fn.min('files_due_at').as('since')])
      // Same expression as in the partial index, so that the index is used.
      .where('files_due_at', 'is not', null)
      .where('files_due_at', '<', now - overdueMs)
      .executeTakeFirstOrThrow(),
  ]);
  const since = Math.min(recorded.since ?? now, due.since ?? now);
  return { count: recorded.count + due.count, ageMs: now - since };
}

/** SQL condition on `files`: the address does not begin like this. */
function hasOtherStart(start: string): RawBuilder<boolean> {
  // The column has the address as JSON text.
  const text = stringifyJson(start).slice(0, -1);
  return sql<boolean>`coalesce(substr(source, 1, length(cast(${text} as text))), '') <> ${text}`;
}

async function findSame(
  db: Kysely<Tables>,
  { owner, hash }: { readonly owner: string; readonly hash: string },
  { locks = false } = {},
): Promise<string | undefined> {
  const row = await db
    .selectFrom('file_objects')
    .select('key')
    .where('owner', '=', owner)
    .where('hash', '=', hash)
    .$if(locks, (query) => query.forUpdate())
    .executeTakeFirst();
  return row?.key;
}

interface Commit {
  readonly file: CommittedFile;
  readonly content: FileContent & {
    readonly isWritten: boolean;
    readonly now: number;
    readonly limits: FileLimits;
  };
  readonly instanceId: string;
}

/** Call it before files are locked: a deletion of the generation does so too. */
function lockGeneration(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('generations')
    .select('is_visible')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

async function commit(db: Kysely<Tables>, { file, content, instanceId }: Commit): Promise<CommitResult> {
  const { id, generationId } = file;
  const generation = generationId === undefined ? undefined : await lockGeneration(db, generationId);
  const row = await db
    .selectFrom('files')
    .select(['id', 'source'])
    .where('id', '=', id)
    .where('state', '=', 'PENDING')
    .where('instance_id', '=', instanceId)
    .forUpdate()
    .executeTakeFirst();
  if (!row || (generationId !== undefined && !generation)) return { type: 'GONE' };
  const key = await adoptObject(db, file, content);
  if (key === undefined) return { type: 'MISSING' };
  if (content.isWritten && key !== id) await noteDeletions(db, [{ key: id, instance_id: null }]);
  await db
    .updateTable('files')
    .set({ state: 'STORED', object_key: key, instance_id: null, failure: null })
    .where('id', '=', id)
    .execute();
  if (generationId !== undefined)
    await noteSettled(db, generationId, { isInline: row.source === null, now: content.now });
  return { type: 'STORED', key };
}

/** A file is stored, or will not be. With its last inline file, its generation is due again. */
function noteSettled(
  db: Kysely<Tables>,
  generationId: string,
  { isInline, now }: { readonly isInline: boolean; readonly now: number },
): Promise<void> {
  return noteChange(db, [generationId], isInline ? { files_due_at: dueWithLast(generationId, now) } : {});
}

/** SQL expression for `files_due_at`: this time if no inline file of the generation waits for its copy. */
function dueWithLast(generationId: string, now: number): RawBuilder<number | null> {
  return sql`case when exists (
    select 1 from files where generation_id = ${generationId} and position is not null and source is null and state = 'PENDING'
  ) then files_due_at else ${now} end`;
}

/** The key of the only object with this content of the owner. Undefined if there is none, and this file did not bring it. */
async function adoptObject(
  db: Kysely<Tables>,
  { id, owner }: CommittedFile,
  { hash, contentType, sizeBytes, isWritten, now, limits }: Commit['content'],
): Promise<string | undefined> {
  for (;;) {
    // A deletion of the object that has begun ends first.
    const same = await findSame(db, { owner, hash }, { locks: true });
    if (same !== undefined || !isWritten) return same;
    const inserted = await db
      .insertInto('file_objects')
      .values({
        key: id,
        owner,
        hash,
        content_type: contentType,
        size_bytes: sizeBytes,
        stored_at: now,
      })
      .onConflict((conflict) => conflict.columns(['owner', 'hash']).doNothing())
      .returning('key')
      .executeTakeFirst();
    if (!inserted) continue;
    await countStored(db, owner, sizeBytes, limits);
    return id;
  }
}

import { type Kysely, type NotNull, sql } from 'kysely';
import { randomId } from '../../../lib/ids.ts';
import { parseJson, stringifyJson } from '../../../lib/json.ts';
import {
  type DueGeneration,
  type FileRecords,
  maxPostponedMs,
  type MovedOutput,
  type PlannedFile,
} from '../../file-records.ts';
import { readByIds } from '../basics/read-by-ids.ts';
import type { Tables } from '../basics/tables.ts';
import { writeContents, type WrittenContents } from '../contents/written-contents.ts';
import { lockTasks } from '../generations/generation-writes.ts';
import { countSizes, lockSizes } from '../owners/owner-records.ts';
import { toTaskRow } from '../tasks/task-rows.ts';
import { type FileRecordsOptions, keysOfFile, noteDeletions } from './file-deletions.ts';

/** From the end of a generation to the records of its files. */
export function createPlannedFiles({
  reader,
  writes,
  clock,
  tasks,
}: FileRecordsOptions): Pick<FileRecords, 'findDue' | 'findDueOf' | 'plan'> {
  const selectDue = () =>
    reader
      .selectFrom('generations')
      .select(['id', 'owner', 'files_due_at as dueAt'])
      // Same expression as in the partial index, so that the index is used.
      .where('files_due_at', 'is not', null)
      .$narrowType<{ dueAt: NotNull }>();
  return {
    findDue: (before, limit, skipped = 0) =>
      selectDue()
        .where((row) =>
          row.or([row('files_due_at', '<', before), row('files_due_at', '>', before + maxPostponedMs)]),
        )
        .orderBy('files_due_at')
        .limit(limit)
        .offset(skipped)
        .execute(),
    findDueOf: (ids) => readByIds(ids, (wanted) => selectDue().where('id', 'in', wanted).execute()),
    async plan(generation, files, moved) {
      const contents = await writeContents(moved);
      const plan = () =>
        writes.transaction(async (db) => {
          const { id, dueAt } = generation;
          // Tasks are locked before generations.
          if (moved?.task) await lockTasks(db, [id]);
          const { numUpdatedRows } = await db
            .updateTable('generations')
            .set({ files_due_at: null })
            .where('id', '=', id)
            .where('files_due_at', '=', dueAt)
            .executeTakeFirstOrThrow();
          if (numUpdatedRows === 0n) return;
          await replaceFiles(db, generation, files, clock.now());
          if (moved) await moveOutput(db, id, moved, contents);
        });
      await (moved?.task ? tasks.change([moved.task.record], plan) : plan());
    },
  };
}

/** Writes the output without what was moved, unless it has changed since it was read. */
async function moveOutput(
  db: Kysely<Tables>,
  id: string,
  { output, outputBytes, task }: MovedOutput,
  { texts }: WrittenContents,
): Promise<void> {
  const size = sql<number>`octet_length(body)`;
  await db
    .updateTable('contents')
    .set({ body: texts.get('output') ?? stringifyJson(output) })
    .where('generation_id', '=', id)
    .where('part', '=', 'output')
    .where(size, '=', outputBytes ?? 0)
    .execute();
  if (task)
    await db
      .updateTable('tasks')
      .set({ body: toTaskRow(task.record).body })
      .where('owner', '=', task.record.owner)
      .where('id', '=', task.record.id)
      .where(size, '=', task.bytes ?? 0)
      .execute();
  await countSizes(db, await lockSizes(db, [id]));
}

/** Keeps the files that the generation still has. */
async function replaceFiles(
  db: Kysely<Tables>,
  { id, owner }: DueGeneration,
  files: readonly PlannedFile[],
  now: number,
): Promise<void> {
  const recorded = await db
    .selectFrom('files')
    .select(['id', 'position', 'source', 'object_key', 'instance_id'])
    .where('generation_id', '=', id)
    // Others are files that its request uses.
    .where('position', 'is not', null)
    .forUpdate()
    .execute();
  const isSame = (row: (typeof recorded)[number], file: PlannedFile): boolean =>
    row.position === file.position && fromSource(row.source) === file.sourceUrl && file.inline !== 'CHANGED';
  const obsolete = recorded.filter((row) => !files.some((file) => isSame(row, file)));
  if (obsolete.length > 0) {
    await noteDeletions(db, obsolete.flatMap(keysOfFile));
    const ids = obsolete.map((row) => row.id);
    await db.deleteFrom('files').where('id', 'in', ids).execute();
  }
  const added = files.filter((file) => file.inline !== 'KEPT' && !recorded.some((row) => isSame(row, file)));
  if (added.length === 0) return;
  await db
    .insertInto('files')
    .values(
      added.map(({ position, sourceUrl }) => ({
        id: randomId('file'),
        owner,
        generation_id: id,
        position,
        state: 'PENDING' as const,
        source: sourceUrl === undefined ? null : stringifyJson(sourceUrl),
        attempts: 0,
        due_at: now,
        created_at: now,
      })),
    )
    .execute();
}

/** The address of a file. Undefined if it came inline. */
export function fromSource(column: string | null): string | undefined {
  const url: unknown = column === null ? undefined : parseJson(column);
  return typeof url === 'string' ? url : undefined;
}

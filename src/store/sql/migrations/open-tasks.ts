import type { Kysely } from 'kysely';
import { originOf } from '../../../lib/addresses.ts';
import { createIndexes } from './create-indexes.ts';
import { fromTaskRow } from '../tasks/task-rows.ts';
import type { Tables } from '../basics/tables.ts';

const pageSize = 500;

/** Adds the column `open_task`, fills it, and adds it to the indexes of lists with filters. */
export async function addOpenTasks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('generations')
    .addColumn('open_task', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await fillOpenTasks(db);
  for (const name of ['by_kind', 'by_model', 'by_group_and_more'])
    await db.schema.dropIndex(`generations_${name}`).execute();
  await createIndexes(
    db,
    'generations_by_kind on generations (owner, kind, status, open_task, created_at, id) where is_visible = 1',
    'generations_by_model on generations (owner, model, kind, status, open_task, created_at, id) where is_visible = 1',
    'generations_by_group_and_more on generations (owner, group_id, kind, status, open_task, model, created_at, id) where is_visible = 1',
  );
}

/** The address of a task is in its record. */
async function fillOpenTasks(db: Kysely<Tables>): Promise<void> {
  for (let last = ''; ;) {
    const rows = await db
      .selectFrom('generations')
      .innerJoin('tasks', (join) =>
        join.onRef('tasks.owner', '=', 'generations.owner').onRef('tasks.id', '=', 'generations.task_id'),
      )
      .select(['generations.id', 'tasks.owner', 'tasks.body'])
      .where('generations.finished_at', 'is', null)
      .where('generations.id', '>', last)
      .orderBy('generations.id')
      .limit(pageSize)
      .execute();
    for (const { id, owner, body } of rows) {
      const open_task = originOf(fromTaskRow({ owner, body }).links?.get) ?? '-';
      await db.updateTable('generations').set({ open_task }).where('id', '=', id).execute();
    }
    const next = rows.at(-1);
    if (!next) return;
    last = next.id;
  }
}

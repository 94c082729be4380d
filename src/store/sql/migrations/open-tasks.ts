import { type Kysely, sql } from 'kysely';
import { originOf } from '../../../lib/addresses.ts';
import { createIndex } from './create-index.ts';
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
  const listed = { table: 'generations', where: sql<boolean>`is_visible = 1` } as const;
  const state = ['kind', 'status', 'open_task'];
  const place = ['created_at', 'id'];
  await createIndex(db, { ...listed, name: 'by_kind', columns: ['owner', ...state, ...place] });
  await createIndex(db, { ...listed, name: 'by_model', columns: ['owner', 'model', ...state, ...place] });
  const byGroupAndMore = ['owner', 'group_id', ...state, 'model', ...place];
  await createIndex(db, { ...listed, name: 'by_group_and_more', columns: byGroupAndMore });
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

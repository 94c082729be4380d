import type { Kysely } from 'kysely';
import type { Task } from '../records.ts';
import type { Store } from '../store.ts';
import { patchGeneration } from './generations.ts';
import { fromTaskRow, isRecordId, toTaskRow } from './rows.ts';
import type { Tables } from './tables.ts';

export function createTaskRecords(db: Kysely<Tables>): Pick<Store, 'findTasks' | 'saveTask'> {
  return {
    async findTasks(owner, ids) {
      const wanted = ids.filter(isRecordId);
      if (wanted.length === 0) return ids.map(() => undefined);
      const rows = await db
        .selectFrom('tasks')
        .select(['owner', 'id', 'body'])
        .where('owner', '=', owner)
        .where('id', 'in', wanted)
        .execute();
      const found = new Map(rows.map((row) => [row.id, fromTaskRow(row)]));
      return ids.map((id) => found.get(id));
    },
    saveTask: (task, patch) =>
      db.transaction().execute(async (transaction) => {
        const { generationId } = task;
        if (generationId === undefined) {
          await putTask(transaction, task);
          return undefined;
        }
        const generation = await patchGeneration(transaction, generationId, patch ?? {});
        if (generation) await putTask(transaction, task);
        return generation;
      }),
  };
}

/** Within a transaction. */
export async function putTask(db: Kysely<Tables>, task: Task): Promise<void> {
  const row = toTaskRow(task);
  const { generation_id, updated_at, body } = row;
  await db
    .insertInto('tasks')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['owner', 'id']).doUpdateSet({ generation_id, updated_at, body }),
    )
    .execute();
}

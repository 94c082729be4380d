import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { isTerminal, type Task } from '../records.ts';
import type { Store } from '../store.ts';
import { patchGeneration } from './generations.ts';
import { lockName } from './lock-name.ts';
import { countSize } from './owner-records.ts';
import { fromTaskRow, isRecordId, toTaskRow } from './rows.ts';
import type { SqlStoreOptions } from './sql-store.ts';
import type { TaskRow, Tables } from './tables.ts';
import { writeContents } from './written-contents.ts';

/** Size of the cache of parsed tasks, in characters of JSON. */
const maxParsedChars = 8_000_000;
/** Most tasks of one owner that were created elsewhere and only read here. */
const maxAdoptedTasks = 1000;

export function createTaskRecords({
  reader,
  writes,
  pauses,
}: SqlStoreOptions): Pick<Store, 'findTasks' | 'measureTasks' | 'findUnfinishedTasks' | 'saveTask'> {
  // Tasks are read far more often than they change. A cached task is valid while its JSON is unchanged.
  const parsed = new LRUCache<string, { readonly body: string; readonly task: Task }>({
    maxSize: maxParsedChars,
    sizeCalculation: ({ body }) => body.length,
  });
  const toTask = (row: Pick<TaskRow, 'owner' | 'id' | 'body'>): Task => {
    const key = `${row.owner} ${row.id}`;
    const known = parsed.get(key);
    if (known?.body === row.body) return known.task;
    const task = fromTaskRow(row);
    parsed.set(key, { body: row.body, task });
    return task;
  };
  return {
    async measureTasks(owner, ids) {
      const wanted = ids.filter(isRecordId);
      if (wanted.length === 0) return ids.map(() => undefined);
      const rows = await reader
        .selectFrom('tasks')
        .select(['id', sql<number>`octet_length(body)`.as('size')])
        .where('owner', '=', owner)
        .where('id', 'in', wanted)
        .execute();
      const found = new Map(rows.map(({ id, size }) => [id, size]));
      return ids.map((id) => found.get(id));
    },
    async findTasks(owner, ids) {
      const wanted = ids.filter(isRecordId);
      if (wanted.length === 0) return ids.map(() => undefined);
      const rows = await reader
        .selectFrom('tasks')
        .select(['owner', 'id', 'body'])
        .where('owner', '=', owner)
        .where('id', 'in', wanted)
        .execute();
      const found = new Map(rows.map((row) => [row.id, toTask(row)]));
      return ids.map((id) => found.get(id));
    },
    async findUnfinishedTasks(owner, { createdAfter, skippedKinds, limit }) {
      const rows = await reader
        .selectFrom('generations')
        .innerJoin('tasks', (join) =>
          join.onRef('tasks.owner', '=', 'generations.owner').onRef('tasks.id', '=', 'generations.task_id'),
        )
        .select(['tasks.owner', 'tasks.id', 'tasks.body', 'generations.created_at'])
        .where('generations.owner', '=', owner)
        .where('generations.finished_at', 'is', null)
        .where('generations.task_id', 'is not', null)
        .where('generations.created_at', '>', createdAfter)
        .$if(skippedKinds.length > 0, (query) => query.where('generations.kind', 'not in', skippedKinds))
        .orderBy('generations.created_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ task: toTask(row), createdAt: row.created_at }));
    },
    async saveTask(task, patch) {
      const contents = await writeContents(patch, pauses);
      return writes.transaction(async (transaction) => {
        const { generationId } = task;
        const row = await lockTask(transaction, task);
        const known = row && toTask(row);
        const hasEnded = known !== undefined && isTerminal(known.status);
        const generation =
          generationId === undefined
            ? undefined
            : await patchGeneration(
                transaction,
                generationId,
                () => (hasEnded || !patch ? {} : patch),
                contents,
              );
        if (hasEnded) return { task: known, generation };
        if (generationId === undefined || generation) await putTask(transaction, task);
        if (generationId === undefined) await limitAdoptedTasks(transaction, task.owner);
        return { task, generation };
      });
    },
  };
}

/** Deletes the oldest tasks of an owner that were created elsewhere, beyond the limit. They can be read again. */
async function limitAdoptedTasks(db: Kysely<Tables>, owner: string): Promise<void> {
  await sql`
    delete from tasks where owner = ${owner} and generation_id is null and updated_at < (
      select updated_at from tasks where owner = ${owner} and generation_id is null
      order by updated_at desc limit 1 offset ${sql.lit(maxAdoptedTasks - 1)}
    )
  `.execute(db);
}

/** Reads a task and locks it, also if it is not recorded yet. Call within a transaction. */
async function lockTask(db: Kysely<Tables>, { owner, id }: Pick<Task, 'owner' | 'id'>) {
  const query = db
    .selectFrom('tasks')
    .select(['owner', 'id', 'body'])
    .where('owner', '=', owner)
    .where('id', '=', id)
    .forUpdate();
  const row = await query.executeTakeFirst();
  if (row || !(await lockName(db, ['task', owner, id]))) return row;
  return query.executeTakeFirst();
}

/**
 * Records the task of a create. A task that is already recorded for a generation stays as it is: the create was settled
 * before, and the task may have been read since. Call within a transaction, after the generation is
 * patched.
 */
export async function adoptTask(db: Kysely<Tables>, task: Task): Promise<void> {
  const row = toTaskRow(task);
  const { generation_id, updated_at, body } = row;
  await db
    .insertInto('tasks')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['owner', 'id'])
        .doUpdateSet({ generation_id, updated_at, body })
        .where('tasks.generation_id', 'is', null),
    )
    .execute();
  if (generation_id !== null) await countSize(db, generation_id);
}

/** Call within a transaction, after the generation of the task is patched. */
async function putTask(db: Kysely<Tables>, task: Task): Promise<void> {
  const row = toTaskRow(task);
  const { generation_id, updated_at, body } = row;
  await db
    .insertInto('tasks')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['owner', 'id']).doUpdateSet({ generation_id, updated_at, body }),
    )
    .execute();
  if (generation_id !== null) await countSize(db, generation_id);
}

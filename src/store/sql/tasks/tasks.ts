import { type Kysely, type OnConflictBuilder, sql } from 'kysely';
import {
  type GenerationKind,
  type GenerationPatch,
  isPresumedFailed,
  isTerminal,
  type Task,
} from '../../records.ts';
import { fromNames } from '../../../lib/members.ts';
import type { SavedTask, Store } from '../../store.ts';
import { groupWrites } from '../basics/group-writes.ts';
import { lockChanges } from '../generations/changes.ts';
import { patchGenerations } from '../generations/generation-writes.ts';
import { lockNames } from '../basics/lock-name.ts';
import { countSizes, lockSizes } from '../owners/owner-records.ts';
import { listIds, type NamedIds, nameIds } from '../basics/named-ids.ts';
import { prepareQuery } from '../basics/prepared-query.ts';
import { isRecordId } from '../basics/columns.ts';
import { toTaskRow } from './task-rows.ts';
import type { Database } from '../basics/database.ts';
import type { TaskRow, Tables } from '../basics/tables.ts';
import type { CachedTask, CachedTasks, TaskCache, TaskWrites, WrittenTask } from './task-cache.ts';
import { noContents, writeContents, type WrittenContents } from '../contents/written-contents.ts';

type TaskRecords = Pick<
  Store,
  'findTasks' | 'measureTasks' | 'findUnfinishedTasks' | 'findUnfinishedOwners' | 'saveTask'
>;

/** Most tasks of one owner that were created elsewhere and only read here. */
const maxAdoptedTasks = 1000;

/** A record of at most this size is read when it is measured, because it will be read next. */
const maxReadBytes = 4096;

/** Tasks in one transaction: those of one reading. */
const maxSaved = 100;

export function createTaskRecords({ reader, writes }: Database, cache: TaskCache): TaskRecords {
  /** Tasks in the order of the ids: from the cache, and those that `read` finds. */
  const findAll = async <Found>(
    ids: readonly string[],
    cached: CachedTasks,
    read: (others: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
  ): Promise<readonly (CachedTask | Found | undefined)[]> => {
    const known = ids.map((id) => cached.find(id));
    const others = ids.filter((id, index) => known[index] === undefined && isRecordId(id));
    if (others.length === 0) return known;
    const found = await read(others);
    return ids.map((id, index) => known[index] ?? found.get(id));
  };
  const saveGrouped = groupWrites<TaskSave, SavedTask>({
    maxSize: maxSaved,
    // Large contents have a transaction of their own.
    sizeOf: ({ contents }) => (contents === noContents ? 1 : maxSaved),
    keyOf: ({ task }) => keyOf(task),
    write: async (saves) => {
      const { saved } = await cache.save(
        saves.map(({ task }) => task),
        () => writes.transaction((transaction) => saveAll(transaction, saves, cache)),
      );
      return saved;
    },
  });
  return {
    async measureTasks(owner, ids) {
      const cached = cache.open(owner);
      const found = await findAll(ids, cached, async (others) => {
        const { rows } = await measureRows(reader, { owner, ...nameIds(others) });
        return new Map(
          rows.map(({ body, ...row }) => [row.id, body === null ? row : cached.add({ ...row, body })]),
        );
      });
      return found.map((task) => task?.size);
    },
    async findTasks(owner, ids) {
      const cached = cache.open(owner);
      const found = await findAll(ids, cached, (others) => readTasks(reader, { owner, ids: others, cached }));
      return found.map((task) => task?.task);
    },
    async findUnfinishedTasks(owner, { createdAfter, skippedKinds, limit }) {
      const cached = cache.open(owner);
      const kinds = Object.fromEntries(skippedKinds.map((kind, index) => [`kind${index}`, kind]));
      const { rows } = await findUnfinished(reader, { ...kinds, owner, createdAfter, limit });
      return rows.map((row) => ({ task: cached.add(row).task, createdAt: row.created_at }));
    },
    async findUnfinishedOwners({ createdAfter, skippedKinds, after, limit }) {
      const rows = await reader
        .selectFrom('generations')
        .select('owner')
        .distinct()
        .where('owner', '>', after)
        .where('finished_at', 'is', null)
        .where('task_id', 'is not', null)
        .where('created_at', '>', createdAfter)
        .$if(skippedKinds.length > 0, (query) => query.where('kind', 'not in', skippedKinds))
        .orderBy('owner')
        .limit(limit)
        .execute();
      return rows.map(({ owner }) => owner);
    },
    async saveTask(task, patch) {
      return saveGrouped({ task, patch, contents: await writeContents(patch) });
    },
  };
}

interface RowsQuery extends NamedIds {
  readonly owner: string;
}

const findRows = prepareQuery((db, { owner, ...ids }: RowsQuery) =>
  db.selectFrom('tasks').select(['id', 'body']).where('owner', '=', owner).where('id', 'in', listIds(ids)),
);

const lockRows = prepareQuery((db, { owner, ...ids }: RowsQuery) =>
  db
    .selectFrom('tasks')
    .select(['id', 'body'])
    .where('owner', '=', owner)
    .where('id', 'in', listIds(ids))
    .orderBy('id')
    .forUpdate(),
);

const measureRows = prepareQuery((db, { owner, ...ids }: RowsQuery) => {
  const size = sql<number>`octet_length(body)`;
  const body = sql<string | null>`case when ${size} <= ${sql.lit(maxReadBytes)} then body end`;
  return db
    .selectFrom('tasks')
    .select(['id', size.as('size'), body.as('body')])
    .where('owner', '=', owner)
    .where('id', 'in', listIds(ids));
});

interface UnfinishedQuery {
  readonly owner: string;
  readonly createdAfter: number;
  readonly limit: number;
  /** Skipped ones. */
  readonly [kind: `kind${number}`]: GenerationKind;
}

/** Runs at the first request of each owner. */
const findUnfinished = prepareQuery((db, { owner, createdAfter, limit, ...skipped }: UnfinishedQuery) => {
  const skippedKinds = Object.values<GenerationKind>(skipped);
  return db
    .selectFrom('generations')
    .innerJoin('tasks', (join) =>
      join.onRef('tasks.owner', '=', 'generations.owner').onRef('tasks.id', '=', 'generations.task_id'),
    )
    .select(['tasks.id', 'tasks.body', 'generations.created_at'])
    .where('generations.owner', '=', owner)
    .where('generations.finished_at', 'is', null)
    .where('generations.task_id', 'is not', null)
    .where('generations.created_at', '>', createdAfter)
    .$if(skippedKinds.length > 0, (query) => query.where('generations.kind', 'not in', skippedKinds))
    .orderBy('generations.created_at', 'desc')
    .limit(limit);
});

/** Created elsewhere, and only read here. */
function isAdopted({ generationId }: Task): boolean {
  return generationId === undefined;
}

/** Deletes the oldest tasks of an owner that were created elsewhere, beyond the limit. They can be read again. Returns them. */
async function limitAdoptedTasks(
  db: Kysely<Tables>,
  owner: string,
): Promise<readonly Pick<Task, 'owner' | 'id'>[]> {
  const { rows } = await sql<{ id: string }>`
    delete from tasks where owner = ${owner} and generation_id is null and updated_at < (
      select updated_at from tasks where owner = ${owner} and generation_id is null
      order by updated_at desc limit 1 offset ${sql.lit(maxAdoptedTasks - 1)}
    ) returning id
  `.execute(db);
  return rows.map(({ id }) => ({ owner, id }));
}

interface TaskQuery {
  readonly owner: string;
  readonly ids: readonly string[];
  readonly cached: CachedTasks;
}

async function readTasks(
  db: Kysely<Tables>,
  { owner, ids, cached }: TaskQuery,
  read: typeof findRows = findRows,
): Promise<ReadonlyMap<string, CachedTask>> {
  if (ids.length === 0) return new Map();
  const { rows } = await read(db, { owner, ...nameIds(ids) });
  return new Map(rows.map((row) => [row.id, cached.add(row)]));
}

/** Reads tasks and locks them, also those that are not recorded yet. Call within a transaction. */
async function lockTasks(db: Kysely<Tables>, query: TaskQuery): Promise<ReadonlyMap<string, CachedTask>> {
  const found = await readTasks(db, query, lockRows);
  const missing = query.ids.filter((id) => !found.has(id));
  const names = missing.map((id) => ['task', query.owner, id]);
  if (!(await lockNames(db, names))) return found;
  return new Map([...found, ...(await readTasks(db, { ...query, ids: missing }, lockRows))]);
}

interface TaskSave {
  readonly task: Task;
  readonly patch: GenerationPatch | undefined;
  readonly contents: WrittenContents;
}

/**
 * Saves tasks, sorted by their keys. Locks rows in the order of all transactions: tasks, generations, sums, counts of the
 * owners. Call within a transaction.
 */
async function saveAll(
  db: Kysely<Tables>,
  saves: readonly TaskSave[],
  cache: TaskCache,
): Promise<TaskWrites & { readonly saved: readonly SavedTask[] }> {
  /** Recorded tasks that stay as they are. */
  const kept = new Map<string, Task>();
  const corrected = new Set<TaskSave>();
  /** Owners of tasks that were created elsewhere and are new here. */
  const adopters = new Set<string>();
  for (const [owner, owned] of Map.groupBy(saves, ({ task }) => task.owner)) {
    const ids = owned.map(({ task }) => task.id);
    const found = await lockTasks(db, { owner, ids, cached: cache.open(owner) });
    for (const save of owned) {
      const recorded = found.get(save.task.id)?.task;
      if (!recorded && isAdopted(save.task)) adopters.add(owner);
      if (!recorded) continue;
      // Its create was settled during the read.
      if (isAdopted(save.task) && !isAdopted(recorded)) kept.set(keyOf(save.task), recorded);
      if (!isTerminal(recorded.status) || kept.has(keyOf(save.task))) continue;
      if (isCorrection(recorded, save)) corrected.add(save);
      else if (!isCheck(recorded, save)) kept.set(keyOf(save.task), recorded);
    }
  }
  const generations = await patchGenerations(
    db,
    saves.flatMap((save) => {
      const { task, patch, contents } = save;
      const reopening = corrected.has(save) && !isTerminal(task.status) ? { finishedAt: undefined } : {};
      const applied = kept.has(keyOf(task)) || !patch ? {} : { ...patch, ...reopening };
      return task.generationId === undefined
        ? []
        : [{ id: task.generationId, change: () => applied, contents }];
    }),
  );
  const saved = saves.map(({ task }): SavedTask => {
    const generation = task.generationId === undefined ? undefined : generations.get(task.generationId);
    return { task: kept.get(keyOf(task)) ?? task, generation };
  });
  const changed = saves
    .map(({ task }) => task)
    .filter((task) => !kept.has(keyOf(task)))
    .filter(({ generationId }) => generationId === undefined || generations.has(generationId));
  const written = await putTasks(db, changed);
  const deleted: Pick<Task, 'owner' | 'id'>[] = [];
  for (const owner of adopters) deleted.push(...(await limitAdoptedTasks(db, owner)));
  await lockChanges(db, [...generations.values()]);
  return { saved, written, deleted, version: cache.readVersion() };
}

/** Whether a good read replaces an end that was presumed. It has a patch, unless the task has no generation. */
function isCorrection(recorded: Task, { task, patch }: TaskSave): boolean {
  return isPresumedFailed(recorded) && !task.refusedReads && (patch !== undefined || isAdopted(task));
}

/** Whether the save only reports another check of a presumed end. */
function isCheck(recorded: Task, { task }: TaskSave): boolean {
  return isPresumedFailed(recorded) && isPresumedFailed(task);
}

/** Call within a transaction, after the generations of the tasks are patched. */
async function putTasks(db: Kysely<Tables>, tasks: readonly Task[]): Promise<readonly WrittenTask[]> {
  const written = tasks.map((task) => ({ task, row: toTaskRow(task) }));
  for (let start = 0; start < written.length;) {
    // Powers of two, so that there are few different statements.
    const count = 2 ** Math.floor(Math.log2(written.length - start));
    await putRows(db, nameColumns(written.slice(start, start + count)));
    start += count;
  }
  const ids = tasks.flatMap(({ generationId }) => generationId ?? []);
  await countSizes(db, await lockSizes(db, ids));
  return written;
}

const putRows = prepareQuery((db, columns: NamedColumns) =>
  db.insertInto('tasks').values(listRows(columns)).onConflict(replaceRow),
);

/** The columns of rows, each under a name of its own. */
type NamedColumns = Readonly<Record<string, TaskRow[keyof TaskRow]>>;

const columnNames = ['owner', 'id', 'generation_id', 'updated_at', 'body'] as const;

function nameColumns(written: readonly WrittenTask[]): NamedColumns {
  const columns: Record<string, TaskRow[keyof TaskRow]> = {};
  for (const [index, { row }] of written.entries())
    for (const name of columnNames) columns[`${name}${index}`] = row[name];
  return columns;
}

function listRows(columns: NamedColumns): readonly TaskRow[] {
  const count = Object.keys(columns).length / columnNames.length;
  return Array.from({ length: count }, (_row, index) => {
    const row = fromNames(columnNames, (name) => columns[`${name}${index}`]);
    return row as TaskRow; // `nameColumns` named them.
  });
}

/**
 * Records the task of a create. A task that is already recorded for a generation stays as it is: the create was settled
 * before, and the task may have been read since. Returns whether it is recorded for another generation: the gateway has
 * named one task twice. Call within a transaction, after the generation is patched.
 */
export async function adoptTask(db: Kysely<Tables>, task: Task): Promise<boolean> {
  const row = toTaskRow(task);
  const { rows } = await insertAdopted(db, row);
  if (row.generation_id !== null) await countSizes(db, await lockSizes(db, [row.generation_id]));
  if (rows.length > 0) return false;
  const recorded = await db
    .selectFrom('tasks')
    .select('generation_id')
    .where('owner', '=', row.owner)
    .where('id', '=', row.id)
    .executeTakeFirst();
  return recorded !== undefined && recorded.generation_id !== row.generation_id;
}

const insertAdopted = prepareQuery((db, row: TaskRow) =>
  db
    .insertInto('tasks')
    .values(row)
    .onConflict((conflict) => replaceRow(conflict).where('tasks.generation_id', 'is', null))
    .returning('generation_id'),
);

function replaceRow(conflict: OnConflictBuilder<Tables, 'tasks'>) {
  return conflict.columns(['owner', 'id']).doUpdateSet((row) => ({
    generation_id: row.ref('excluded.generation_id'),
    updated_at: row.ref('excluded.updated_at'),
    body: row.ref('excluded.body'),
  }));
}

function keyOf({ owner, id }: Pick<Task, 'owner' | 'id'>): string {
  return `${owner} ${id}`;
}

import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TaskRow, Tables } from '../../src/store/sql/basics/tables.ts';
import { createTaskCache, type TaskWrites } from '../../src/store/sql/tasks/task-cache.ts';
import { migrate } from '../../src/store/sql/migrations/migrations.ts';
import { fromTaskRow } from '../../src/store/sql/tasks/task-rows.ts';
import { createTaskRecords } from '../../src/store/sql/tasks/tasks.ts';
import { createLockWait } from '../../src/store/sqlite/lock-wait.ts';
import { createSqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts';
import { createSqliteWrites } from '../../src/store/sqlite/sqlite-writes.ts';
import { buildTask, owner } from './support.ts';

test('tasks that were read or saved here are read and measured again without a statement', async () => {
  const statements: string[] = [];
  const database = new DatabaseSync(':memory:');
  const db = new Kysely<Tables>({
    dialect: createSqliteDialect(database),
    log: ({ query }) => void statements.push(query.sql),
  });
  onTestFinished(() => db.destroy());
  await migrate(db);
  const writes = createSqliteWrites({ database, writer: db, lockWait: createLockWait() });
  const cache = createTaskCache(() => 1);
  const records = createTaskRecords({ reader: db, writes }, cache);
  const task = buildTask();
  await records.saveTask(task);
  await cache.change('all', async () => {});
  expect(await records.findTasks(owner, [task.id])).toEqual([task]);
  statements.length = 0;
  expect(await records.findTasks(owner, [task.id])).toEqual([task]);
  expect(await records.measureTasks(owner, [task.id])).toEqual([expect.any(Number)]);
  const later = { ...task, progress: 0.5 };
  await records.saveTask(later);
  statements.length = 0;
  expect(await records.findTasks(owner, [task.id])).toEqual([later]);
  expect(statements).toEqual([]);
});

describe('the cache of tasks', () => {
  test('a saved task is cached as it was saved, and the others stay', async () => {
    const cache = createTaskCache(() => 1);
    const [first, second] = [cache.open('ann').add(row('a', 1)), cache.open('ann').add(row('b', 1))];
    await cache.save([{ owner: 'ann', id: 'a' }], () => written(row('a', 2)));
    const read = cache.open('ann');
    expect(read.find('a')?.task).toMatchObject({ id: 'a', owner: 'ann', progress: 2 });
    expect(read.find('a')).not.toBe(first);
    expect(read.find('b')).toBe(second);
  });

  test('while a task is saved, its row is read, and the other tasks are cached', async () => {
    const cache = createTaskCache(() => 1);
    for (const id of ['a', 'b']) cache.open('ann').add(row(id, 1));
    const saving = Promise.withResolvers<TaskWrites>();
    const saved = cache.save([{ owner: 'ann', id: 'b' }], () => saving.promise);
    expect(cache.open('ann').find('a')).toBeDefined();
    expect(cache.open('ann').find('b')).toBeUndefined();
    // It may be read before or after the commit.
    cache.open('ann').add(row('b', 1));
    expect(cache.open('ann').find('b')).toBeUndefined();
    saving.resolve(await written(row('b', 2)));
    await saved;
    expect(cache.open('ann').find('b')?.task.progress).toBe(2);
  });

  test('after a write that may change all tasks, what is read is cached again', async () => {
    const cache = createTaskCache(() => 1);
    const before = cache.open('ann').add(row('a', 1));
    await cache.change('all', async () => {});
    expect(cache.open('ann').find('a')).toBeUndefined();
    const read = cache.open('ann').add(row('a', 1));
    expect(cache.open('ann').find('a')).toBe(read);
    expect(read).not.toBe(before);
  });

  test('a save that fails leaves the task to be read', async () => {
    const cache = createTaskCache(() => 1);
    const before = cache.open('ann').add(row('a', 1));
    const failed = cache.save([{ owner: 'ann', id: 'a' }], () => Promise.reject(new Error('no disk')));
    await expect(failed).rejects.toThrow('no disk');
    expect(cache.open('ann').find('a')).toBeUndefined();
    // The same JSON is not parsed again.
    expect(cache.open('ann').add(row('a', 1))).toBe(before);
    expect(cache.open('ann').find('a')).toBe(before);
  });

  test('a row that was read before a save does not replace it', async () => {
    const cache = createTaskCache(() => 1);
    const early = cache.open('ann');
    await cache.save([{ owner: 'ann', id: 'a' }], () => written(row('a', 2)));
    early.add(row('a', 1));
    expect(cache.open('ann').find('a')?.task.progress).not.toBe(1);
  });

  test('of two saves at once, none is cached before both are written', async () => {
    const cache = createTaskCache(() => 1);
    const second = Promise.withResolvers<TaskWrites>();
    const saved = cache.save([{ owner: 'ann', id: 'a' }], () => second.promise);
    await cache.save([{ owner: 'ann', id: 'a' }], () => written(row('a', 2)));
    expect(cache.open('ann').find('a')).toBeUndefined();
    second.resolve(await written(row('a', 3)));
    await saved;
    expect(cache.open('ann').find('a')?.task.progress).toBe(3);
  });

  test('a task that a save deleted, and one that another process may have changed, are not found', async () => {
    let version = 1;
    const cache = createTaskCache(() => version);
    for (const id of ['a', 'b']) cache.open('ann').add(row(id, 1));
    await cache.save([{ owner: 'ann', id: 'c' }], async () => ({
      ...(await written(row('c', 1))),
      deleted: [{ owner: 'ann', id: 'a' }],
    }));
    expect(cache.open('ann').find('a')).toBeUndefined();
    expect(cache.open('ann').find('b')).toBeDefined();
    version = 2;
    expect(cache.open('ann').find('b')).toBeUndefined();
  });

  test('an owner whose tasks take too much memory starts anew, and other owners keep theirs', () => {
    const cache = createTaskCache(() => 1);
    const large = (id: string) => ({ id, body: JSON.stringify({ kind: 'SONG', raw: 'x'.repeat(900_000) }) });
    cache.open('bob').add(row('a', 1));
    for (const id of ['a', 'b', 'c']) cache.open('ann').add(large(id));
    const ann = cache.open('ann');
    expect(['a', 'b', 'c'].map((id) => ann.find(id) !== undefined)).toEqual([false, false, true]);
    expect(cache.open('bob').find('a')).toBeDefined();
  });

  test('a write of one owner leaves what is read of others meanwhile', async () => {
    const cache = createTaskCache(() => 1);
    const owners = ['0a', '0b', '1a', 'fa', 'fe', 'ff'];
    const writing = Promise.withResolvers<void>();
    const written = cache.change([{ owner: '0a' }], () => writing.promise);
    for (const each of owners) cache.open(each).add(row('a', 1));
    expect(owners.filter((each) => cache.open(each).find('a'))).toEqual(owners.slice(1));
    writing.resolve();
    await written;
  });

  test('without a version, every read asks the records', async () => {
    const cache = createTaskCache();
    const added = cache.open('ann').add(row('a', 1));
    expect(cache.open('ann').find('a')).toBeUndefined();
    // The same JSON is not parsed again.
    expect(cache.open('ann').add(row('a', 1))).toBe(added);
  });
});

function row(id: string, progress: number): TaskRow {
  const body = JSON.stringify({ id, kind: 'SONG', upstreamId: id, progress });
  return { owner: 'ann', id, generation_id: null, updated_at: 0, body };
}

function written(...rows: readonly TaskRow[]): Promise<TaskWrites> {
  return Promise.resolve({
    written: rows.map((saved) => ({ task: fromTaskRow(saved), row: saved })),
    deleted: [],
    version: 1,
  });
}

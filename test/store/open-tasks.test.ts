import { downgradeStatements } from '../support/downgrade.ts';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createSystemClock } from '../../src/lib/clock.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { createDirectory } from '../support/durable-server.ts';
import { buildTask, owner, record } from './support.ts';

test('a file of an older version gets addresses of unfinished tasks, sizes of records, and prompts as contents', async () => {
  const directory = await createDirectory();
  const older = await createSqliteStore({ directory, clock: createSystemClock() });
  const make = async (id: string, links: object | undefined, finishedAt?: number): Promise<string> => {
    const prompt = finishedAt === undefined ? `The prompt of ${id}` : undefined;
    const members = { kind: 'ANIMATION', taskId: id, status: 'QUEUED', finishedAt, prompt } as const;
    const generation = await record(older, members);
    await older.saveTask(buildTask({ id, generationId: generation.id, ...(links && { links }) }));
    return generation.id;
  };
  const ids = [
    await make('task_1', { get: 'https://queue.example/p1' }),
    await make('task_2', undefined),
    await make('task_3', { get: 'https://queue.example/p3' }, 2000),
  ];
  const sizes = await older.measureRecords(owner);
  await older.close();
  const database = new DatabaseSync(join(directory, 'gengraph.db'));
  for (const statement of downgradeStatements('SQLite')) database.exec(statement);
  const indexes = ['by_kind', 'by_model', 'by_group_and_more'].map((name) => `generations_${name}`);
  for (const name of indexes) database.exec(`drop index ${name}`);
  database.exec('alter table generations drop column open_task');
  for (const name of indexes) database.exec(`create index ${name} on generations (kind)`);
  database.exec('alter table generations drop column first_token_ms');
  database.exec('drop index generations_ended_for');
  database.exec('alter table generations drop column ended_for');
  database.exec('alter table generations drop column traceparent');
  database.exec('drop index generations_ended');
  database.exec('drop index generations_in_progress');
  database.exec('drop index tasks_adopted_by_owner');
  database.exec('alter table generations drop column size_bytes');
  database.exec('drop table owner_records');
  database.exec('drop table poll_leases');
  database.exec('drop table polled_tasks');
  database.exec('alter table instances drop column needs_lock');
  database.exec('alter table generations add column prompt text');
  const ownPrompt = "select body from contents where generation_id = generations.id and part = 'prompt'";
  database.exec(`update generations set prompt = (${ownPrompt})`);
  database.exec("delete from contents where part = 'prompt'");
  database.exec("delete from kysely_migration where name >= '0005-open-tasks'");
  database.close();

  const store = await createSqliteStore({ directory, clock: createSystemClock() });
  const found = await store.findGenerations(owner, ids);
  expect(found.map((generation) => generation?.openTask)).toEqual([
    { readOrigin: 'https://queue.example' },
    {},
    undefined,
  ]);
  const prompts = ['The prompt of task_1', 'The prompt of task_2', undefined];
  expect(found.map((generation) => generation?.prompt)).toEqual(prompts);
  const refs = ids.map((id) => ({ id, name: 'prompt' }) as const);
  expect(await store.findContents(owner, refs)).toEqual(prompts);
  const filter = { statuses: ['SUBMITTED'], canRead: () => false } as const;
  expect(await store.listGenerations(owner, filter, { limit: 5 })).toHaveLength(2);
  expect(sizes).toEqual({ records: 3, bytes: expect.any(Number) });
  expect(await store.measureRecords(owner)).toEqual(sizes);
  await store.close();
});

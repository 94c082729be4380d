import { Kysely } from 'kysely';
import type { PoolClient } from 'pg';
import { expect, test, vi } from 'vitest';
import type { Tables } from '../../src/store/sql/basics/tables.ts';
import { createPostgresDialect } from '../../src/store/postgres/postgres-dialect.ts';

const lost = new Error('Connection terminated unexpectedly');
const refused = Object.assign(new Error('invalid value for a parameter'), { code: '22023' });

/** A connection whose statements have this outcome. */
function createClient(outcome: Error | readonly object[]) {
  const query = vi.fn<(query: { readonly text: string }) => Promise<object>>(async () => {
    if (outcome instanceof Error) throw outcome;
    return { rows: outcome, rowCount: outcome.length, command: 'SELECT' };
  });
  return { query, release: vi.fn<(isBroken?: boolean) => void>() };
}

/** A database whose connections are these, in order. */
function open(answers: readonly (ReturnType<typeof createClient> | Error)[]): Kysely<Tables> {
  const waiting = [...answers];
  const connect = async (): Promise<PoolClient> => {
    const answer = waiting.shift() ?? refused;
    if (answer instanceof Error) throw answer;
    // The dialect uses `query` and `release` only.
    return answer as unknown as PoolClient;
  };
  const pool = { connect, end: async () => {} };
  return new Kysely<Tables>({ dialect: createPostgresDialect(pool, { timeoutMs: 60_000 }) });
}

const read = (db: Kysely<Tables>): Promise<unknown> => db.selectFrom('tasks').select('id').execute();

test('a read whose connection is lost runs again on another one, and only the lost one is closed', async () => {
  const [first, second] = [createClient(lost), createClient([{ id: 'task_1' }])];
  expect(await read(open([first, second]))).toEqual([{ id: 'task_1' }]);
  expect(first.release.mock.calls).toEqual([[true]]);
  expect(second.release.mock.calls).toEqual([[false]]);
});

test('a lost connection is closed, also if the database refuses another one for any reason', async () => {
  const first = createClient(lost);
  await expect(read(open([first, refused]))).rejects.toThrow(refused);
  expect(first.release.mock.calls).toEqual([[true]]);
});

test('a connection whose statement was refused stays open', async () => {
  const first = createClient(refused);
  await expect(read(open([first]))).rejects.toThrow(refused);
  expect(first.query).toHaveBeenCalledTimes(1);
  expect(first.release.mock.calls).toEqual([[false]]);
});

import { Kysely } from 'kysely';
import type { PoolClient } from 'pg';
import { describe, expect, test, vi } from 'vitest';
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
function open(
  answers: readonly (ReturnType<typeof createClient> | Promise<unknown> | Error)[],
): Kysely<Tables> {
  const waiting = [...answers];
  const connect = async (): Promise<PoolClient> => {
    const answer = waiting.shift() ?? refused;
    if (answer instanceof Error) throw answer;
    // The dialect uses `query` and `release` only.
    return (await answer) as PoolClient;
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

test('a lost connection frees its place in the pool before another one is opened', async () => {
  const [first, second] = [createClient(lost), createClient([{ id: 'task_1' }])];
  const released = Promise.withResolvers<typeof second>();
  first.release.mockImplementation(() => released.resolve(second));
  expect(await read(open([first, released.promise]))).toEqual([{ id: 'task_1' }]);
});

describe('while a pooler accepts connections without the database', () => {
  const cached = Object.assign(
    new Error('server login has been failing, try again later (server_login_retry)'),
    {
      code: '08P01',
    },
  );
  const crashed = Object.assign(new Error('server conn crashed?'), { code: '08P01' });
  const write = (db: Kysely<Tables>): Promise<unknown> =>
    db.deleteFrom('tasks').where('id', '=', 'task_1').execute();

  test('reads, and writes that it has not sent, run when the database answers', async () => {
    for (const run of [read, write]) {
      const clients = [cached, cached, cached, [], [{ id: 'task_1' }]].map(createClient);
      await run(open(clients));
      // The third and the fourth connection ask whether the database is back.
      expect(clients.map(({ query }) => query.mock.calls[0]?.[0].text)).toEqual([
        ...Array<string | undefined>(2).fill(clients[4]?.query.mock.calls[0]?.[0].text),
        'select 1',
        'select 1',
        expect.stringContaining('"tasks"'),
      ]);
    }
  });

  test('a write that it may have sent runs once', async () => {
    const first = createClient(crashed);
    await expect(write(open([first]))).rejects.toThrow('the connection to the database failed');
    expect(first.query).toHaveBeenCalledTimes(1);
  });
});

import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { type Dialect, Kysely, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createSqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts';

interface Numbers {
  readonly numbers: { readonly name: string; readonly value: number };
}

/** The dialect, with a record of how many users hold its only connection at once. */
function observe(dialect: Dialect): { readonly dialect: Dialect; readonly held: number[] } {
  const held: number[] = [];
  let holders = 0;
  return {
    held,
    dialect: {
      ...dialect,
      createDriver() {
        const driver = dialect.createDriver();
        return {
          init: () => driver.init(),
          async acquireConnection() {
            holders += 1;
            held.push(holders);
            return driver.acquireConnection();
          },
          async releaseConnection(connection) {
            await driver.releaseConnection(connection);
            holders -= 1;
          },
          beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
          commitTransaction: (connection) => driver.commitTransaction(connection),
          rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
          destroy: () => driver.destroy(),
        };
      },
    },
  };
}

test('one query or transaction at a time uses the connection, however many are concurrent', async () => {
  const { dialect, held } = observe(createSqliteDialect(new DatabaseSync(':memory:')));
  const db = new Kysely<Numbers>({ dialect });
  onTestFinished(() => db.destroy());
  await sql`create table numbers (name text primary key, value integer)`.execute(db);
  await db.insertInto('numbers').values({ name: 'n', value: 0 }).execute();

  const read = (from: Kysely<Numbers>) =>
    from.selectFrom('numbers').select('value').executeTakeFirstOrThrow();
  /** An increment that another user between its steps would lose. */
  const increment = async (by: Kysely<Numbers>): Promise<void> => {
    const { value } = await read(by);
    await setImmediate();
    await by
      .updateTable('numbers')
      .set({ value: value + 1 })
      .execute();
  };
  const users: readonly (() => Promise<unknown>)[] = [
    () => read(db),
    () => db.transaction().execute(increment),
    () => db.connection().execute(increment),
    () => db.connection().execute((connection) => connection.transaction().execute(increment)),
    async () => {
      const transaction = await db.startTransaction().execute();
      await increment(transaction);
      await transaction.commit().execute();
    },
    async () => {
      const transaction = await db.startTransaction().execute();
      await increment(transaction);
      await transaction.rollback().execute();
    },
    () => sql`select nothing`.execute(db),
    () =>
      db.transaction().execute(async (transaction) => {
        await increment(transaction);
        throw new Error('rolled back');
      }),
    () => db.selectFrom('numbers').select('value').execute({ signal: AbortSignal.abort() }),
    async () => {
      const stopped = new AbortController();
      const reading = db.selectFrom('numbers').select('value').execute({ signal: stopped.signal });
      setTimeout(() => stopped.abort(), 5);
      return reading;
    },
    async () => {
      for await (const _ of db.selectFrom('numbers').select('value').stream());
    },
  ];
  const rounds = 150;
  const settled = await Promise.allSettled(
    Array.from({ length: rounds }, () => users.map((use) => use())).flat(),
  );
  const failures = users.map(
    (_use, index) =>
      settled.filter(({ status }, at) => at % users.length === index && status === 'rejected').length,
  );
  expect(failures).toEqual([0, 0, 0, 0, 0, 0, rounds, rounds, rounds, expect.any(Number), rounds]);
  expect(await read(db)).toEqual({ value: 4 * rounds });
  expect(held.length).toBeGreaterThan(9 * rounds);
  expect(Math.max(...held)).toBe(1);
});

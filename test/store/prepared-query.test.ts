import { DatabaseSync } from 'node:sqlite';
import { type Insertable, Kysely, SqliteQueryCompiler } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { prepareQuery } from '../../src/store/sql/basics/prepared-query.ts';
import type { InstanceRow, Tables } from '../../src/store/sql/basics/tables.ts';
import { createSqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts';

/** A database that counts how many queries it compiles. */
async function openDatabase() {
  const dialect = createSqliteDialect(new DatabaseSync(':memory:'));
  const compiled: string[] = [];
  const db = new Kysely<Tables>({
    dialect: {
      ...dialect,
      createQueryCompiler() {
        const compiler = new SqliteQueryCompiler();
        return {
          compileQuery(...parameters) {
            const query = compiler.compileQuery(...parameters);
            compiled.push(query.sql);
            return query;
          },
        };
      },
    },
  });
  onTestFinished(() => db.destroy());
  await db.schema
    .createTable('instances')
    .addColumn('id', 'text')
    .addColumn('expires_at', 'integer')
    .execute();
  compiled.length = 0;
  return { db, compiled };
}

const insert = prepareQuery((db, row: Insertable<InstanceRow>) => db.insertInto('instances').values(row));
const select = prepareQuery((db, { id, limit }: { readonly id: string; readonly limit: number }) =>
  db.selectFrom('instances').selectAll().where('id', '=', id).where('expires_at', '>', 1).limit(limit),
);
const update = prepareQuery((db, { id, ...changes }: Partial<InstanceRow> & Pick<InstanceRow, 'id'>) =>
  db.updateTable('instances').set(changes).where('id', '=', id),
);

test('a prepared query is compiled once for all its values, inside and outside transactions', async () => {
  const { db, compiled } = await openDatabase();
  const [a, b] = [
    { id: 'a', expires_at: 5 },
    { id: 'b', expires_at: 6 },
  ];
  await insert(db, a);
  await db.transaction().execute((transaction) => insert(transaction, b));
  expect((await select(db, { id: 'a', limit: 1 })).rows).toEqual([a]);
  expect((await select(db, { id: 'b', limit: 2 })).rows).toEqual([b]);
  expect(compiled).toHaveLength(2);
});

test('a prepared query is compiled once for each set of values', async () => {
  const { db, compiled } = await openDatabase();
  await insert(db, { id: 'a', expires_at: 5 });
  compiled.length = 0;
  for (const expires_at of [7, 8]) {
    expect(await update(db, { id: 'a', expires_at })).toMatchObject({ numAffectedRows: 1n });
    expect((await select(db, { id: 'a', limit: 1 })).rows).toEqual([{ id: 'a', expires_at }]);
  }
  expect(compiled).toHaveLength(2);
});

test('each database compiles a prepared query itself', async () => {
  const databases = [await openDatabase(), await openDatabase()];
  for (const { db, compiled } of databases) {
    await insert(db, { id: 'a', expires_at: 5 });
    expect(compiled).toHaveLength(1);
  }
});

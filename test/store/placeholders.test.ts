import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { bindPlaceholders, Placeholder } from '../../src/store/sql/basics/placeholders.ts';
import { createSqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts';

interface Animals {
  readonly animals: { readonly name: string; readonly legs: number };
}

function createAnimals(): Kysely<Animals> {
  const database = new DatabaseSync(':memory:');
  database.exec("create table animals as select 'fox' as name, 4 as legs union select 'owl', 2");
  const db = new Kysely<Animals>({ dialect: createSqliteDialect(database) });
  onTestFinished(() => db.destroy());
  return db;
}

/** Placeholders between other parameters, one of them twice. */
const query = (db: Kysely<Animals>, name: unknown, legs: unknown) =>
  db
    .selectFrom('animals')
    .select('name')
    .where('legs', '>', 1)
    .where('name', '=', name as string)
    .where('legs', '<=', legs as number)
    .where('legs', '=', legs as number)
    .limit(9);

test('a query compiled once gives for each set of values what a query built with them gives', async () => {
  const db = createAnimals();
  const compiled = query(db, new Placeholder('name'), new Placeholder('legs')).compile();
  for (const [name, legs] of [
    ['fox', 4],
    ['owl', 2],
    ['fox', 2],
  ] as const) {
    const bound = bindPlaceholders(compiled, { legs, name });
    const direct = query(db, name, legs);
    expect({ sql: bound.sql, parameters: bound.parameters }).toEqual({
      sql: direct.compile().sql,
      parameters: direct.compile().parameters,
    });
    expect((await db.executeQuery(bound)).rows).toEqual(await direct.execute());
  }
});

test('a placeholder without a value is refused; undefined and null are values', () => {
  const compiled = query(createAnimals(), new Placeholder('name'), null).compile();
  expect(() => bindPlaceholders(compiled, {})).toThrow('no value for the placeholder name');
  const [, bound] = bindPlaceholders(compiled, { name: null }).parameters;
  expect(bound).toBeNull();
});

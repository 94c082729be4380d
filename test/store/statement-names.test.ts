import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createDatabase } from '../support/postgres.ts';
import { buildCreation, buildGeneration } from './support.ts';

/** A store with one connection for its statements, and that connection. */
async function open(hasSessions?: boolean) {
  const pools: Pool[] = [];
  const store = await createPostgresStore({
    url: await createDatabase(),
    clock: createManualClock(),
    poolSize: 1,
    ...(hasSessions !== undefined && { hasSessions }),
    createPool(config) {
      const pool = new Pool(config);
      // The database ends what is still connected when it is emptied for the next test.
      pool.on('error', () => {});
      pool.on('connect', (client) => void client.on('error', () => {}));
      pools.push(pool);
      return pool;
    },
  });
  onTestFinished(() => store.close());
  // The other one renews leases.
  const pool = pools[0];
  if (!pool) throw new Error('expected a pool');
  return { store, pool };
}

async function start(store: Store, id: string): Promise<void> {
  const generation = buildGeneration({ id, isVisible: false, finishedAt: undefined });
  const creation = buildCreation(id, { id: `creation_${id}`, key: id });
  expect(await store.claim(creation, generation)).toBeUndefined();
}

async function prepared(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ readonly statement: string }>(
    'select statement from pg_prepared_statements',
  );
  return rows.map(({ statement }) => statement);
}

test('a connection prepares the statements of a create once', async () => {
  const { store, pool } = await open();
  await start(store, 'first');
  const statements = await prepared(pool);
  expect(statements.some((statement) => statement.includes('insert into creations'))).toBe(true);
  await start(store, 'second');
  expect(await prepared(pool)).toEqual(statements);
});

test('nothing is prepared through a pooler, whose sessions are shared', async () => {
  const { store, pool } = await open(false);
  await start(store, 'first');
  expect(await prepared(pool)).toEqual([]);
});

test('a migration that adds columns invalidates no result of a prepared statement', async () => {
  const { store, pool } = await open();
  await start(store, 'first');
  const statements = await prepared(pool);
  await pool.query(`do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('alter table %I add column added_later text', name);
    end loop;
  end $$`);
  await start(store, 'second');
  expect(await prepared(pool)).toEqual(statements);
});

test.each([
  ['its prepared statements', 'deallocate all'],
  [
    'the types of their results',
    'alter table creations alter column id type varchar(100), alter column subject_id type varchar(100)',
  ],
])('a store whose session lost %s goes on without them, and nothing fails', async (_what, statement) => {
  const { store, pool } = await open();
  await start(store, 'first');
  const statements = await prepared(pool);
  await pool.query(statement);
  // A statement of its own, and one in a transaction.
  await start(store, 'second');
  await store.release('creation_second');
  await start(store, 'third');
  expect(await prepared(pool)).toEqual(statement === 'deallocate all' ? [] : statements);
});

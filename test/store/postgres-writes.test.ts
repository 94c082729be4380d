import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, DummyDriver } from 'kysely';
import { expect, test } from 'vitest';
import type { Tables } from '../../src/store/sql/basics/tables.ts';
import { createPostgresWrites } from '../../src/store/postgres/postgres-writes.ts';

const conflict = Object.assign(new Error('deadlock detected'), { code: '40P01' });
const defect = Object.assign(new Error('syntax error'), { code: '42601' });

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (reader) => new PostgresIntrospector(reader),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** How often a write runs that fails each time. */
async function countAttempts(
  error: Error,
  options: Parameters<typeof createPostgresWrites>[1],
): Promise<number> {
  let attempts = 0;
  const written = createPostgresWrites(db, options).statement(async () => {
    attempts += 1;
    throw error;
  });
  await expect(written).rejects.toBe(error);
  return attempts;
}

test('a write that conflicts each time runs eight times, and a defect once', async () => {
  const options = { timeoutMs: 60_000, random: () => 0 };
  expect(await countAttempts(conflict, options)).toBe(8);
  expect(await countAttempts(defect, options)).toBe(1);
});

test('a conflict is not retried if the pause before it, up to 10 ms, ends after the deadline', async () => {
  expect(await countAttempts(conflict, { timeoutMs: 10, random: () => 1 })).toBe(1);
});

import { type Kysely, sql } from 'kysely';

/**
 * Creates indexes from what follows `create index`. A query must repeat the condition of a partial index literally to use the
 * index.
 */
export async function createIndexes(db: Kysely<unknown>, ...definitions: readonly string[]): Promise<void> {
  for (const definition of definitions) await sql.raw(`create index ${definition}`).execute(db);
}

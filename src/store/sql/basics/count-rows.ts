import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { Tables } from './tables.ts';

/** Counts the rows of a query, which has a limit, so that the count reads no more rows than that. */
export function countRows<Table extends keyof Tables>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, Table, { id: string }>,
) {
  return db.selectFrom(query.as('counted')).select((row) => row.fn.countAll<number>().as('count'));
}

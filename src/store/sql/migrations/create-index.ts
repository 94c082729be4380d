import type { Kysely, RawBuilder } from 'kysely';

interface Index {
  readonly table: string;
  readonly name: string;
  readonly columns: readonly string[];
  /** Condition of a partial index. A query must repeat it literally to use the index. */
  readonly where?: RawBuilder<boolean>;
}

export async function createIndex(
  db: Kysely<unknown>,
  { table, name, columns, where }: Index,
): Promise<void> {
  const index = db.schema
    .createIndex(`${table}_${name}`)
    .on(table)
    .columns([...columns]);
  await (where ? index.where(where) : index).execute();
}

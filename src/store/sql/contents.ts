import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Json } from '../../lib/json.ts';
import type { ContentRef } from '../records.ts';
import { contentParts, fromTextColumn, isRecordId } from './rows.ts';
import type { Tables } from './tables.ts';

/** Sizes in bytes. `octet_length` of a column does not read the value. */
export function measureContents(
  db: Kysely<Tables>,
  owner: string,
  refs: readonly ContentRef[],
): Promise<readonly (number | undefined)[]> {
  return readContents(db, { owner, refs }, (column) => sql<number>`octet_length(${sql.ref(column)})`);
}

export async function findContents(
  db: Kysely<Tables>,
  owner: string,
  refs: readonly ContentRef[],
): Promise<readonly (Json | undefined)[]> {
  const texts = await readContents(db, { owner, refs }, (column) => sql<string>`${sql.ref(column)}`);
  return texts.map((text) => fromTextColumn(text ?? null));
}

interface Request {
  readonly owner: string;
  readonly refs: readonly ContentRef[];
}

/** Reads an expression over the column of each content. */
async function readContents<Value extends string | number>(
  db: Kysely<Tables>,
  { owner, refs }: Request,
  select: (column: string) => RawBuilder<Value>,
): Promise<readonly (Value | undefined)[]> {
  const found = new Map<string, Value>();
  const valid = refs.filter(({ id }) => isRecordId(id));
  for (const part of contentParts) {
    const ids = valid.filter(({ name }) => name === part).map(({ id }) => id);
    if (ids.length === 0) continue;
    const rows = await db
      .selectFrom('contents')
      .innerJoin('generations', 'generations.id', 'contents.generation_id')
      .select(['generation_id', select('body').as('value')])
      .where('owner', '=', owner)
      .where('generation_id', 'in', ids)
      .where('part', '=', part)
      .execute();
    // The expression has this type.
    for (const { generation_id: id, value } of rows) found.set(`${part} ${id}`, value as Value);
  }
  return refs.map(({ id, name }) => found.get(`${name} ${id}`));
}

import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Json } from '../../lib/json.ts';
import type { ContentRef } from '../records.ts';
import { fromTextColumn, isRecordId } from './rows.ts';
import type { ContentPart, Tables } from './tables.ts';

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

/** Reads an expression over the column of each content. Prompts are a column of their generations. */
async function readContents<Value extends string | number>(
  db: Kysely<Tables>,
  { owner, refs }: Request,
  select: (column: string) => RawBuilder<Value>,
): Promise<readonly (Value | undefined)[]> {
  const found = new Map<string, Value>();
  const add = (id: string, name: string, value: unknown): void => {
    // The expression has this type, or is null where the column is.
    if (value !== null) found.set(`${name} ${id}`, value as Value);
  };
  const valid = refs.filter(({ id }) => isRecordId(id));
  const prompts = valid.filter(({ name }) => name === 'prompt').map(({ id }) => id);
  if (prompts.length > 0) {
    const rows = await db
      .selectFrom('generations')
      .select(['id', select('prompt').as('value')])
      .where('owner', '=', owner)
      .where('id', 'in', prompts)
      .execute();
    for (const { id, value } of rows) add(id, 'prompt', value);
  }
  for (const part of parts) {
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
    for (const { generation_id: id, value } of rows) add(id, part, value);
  }
  return refs.map(({ id, name }) => found.get(`${name} ${id}`));
}

const parts: readonly ContentPart[] = ['input', 'output', 'raw'];

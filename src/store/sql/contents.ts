import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Json } from '../../lib/json.ts';
import { pieceChars } from '../../lib/json-size.ts';
import { parseInPieces } from '../../lib/parse-in-pieces.ts';
import type { Pauses } from '../../lib/pauses.ts';
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

/** Returns JSON text. */
export function readTexts(
  db: Kysely<Tables>,
  owner: string,
  refs: readonly ContentRef[],
): Promise<readonly (string | undefined)[]> {
  return readContents(db, { owner, refs }, (column) => sql<string>`${sql.ref(column)}`);
}

/** Parses what `readTexts` returned. Pauses between large pieces of work. */
export async function parseTexts(
  texts: readonly (string | undefined)[],
  pauses: Pauses,
): Promise<readonly (Json | undefined)[]> {
  const values: (Json | undefined)[] = [];
  let parsedChars = 0;
  for (const text of texts) {
    const chars = text?.length ?? 0;
    parsedChars += chars;
    if (text !== undefined && chars > pieceChars) {
      values.push(await parseInPieces(text, pauses));
      continue;
    }
    if (parsedChars > pieceChars) {
      await pauses.next();
      parsedChars = chars;
    }
    values.push(fromTextColumn(text ?? null));
  }
  return values;
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

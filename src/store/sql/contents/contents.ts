import { type Kysely, type RawBuilder, sql } from 'kysely';
import { largeChars } from '../../../lib/json-size.ts';
import { parseInPieces } from '../../../lib/parse-in-pieces.ts';
import { largeWork } from '../../../lib/fairness/large-work.ts';
import { type ContentName, contentNames, type ContentRef, type Contents } from '../../records.ts';
import {
  assembleOutput,
  joinedParts,
  type ParsedText,
  parseText,
  sizeOfParts,
  toPartTexts,
} from './output-parts.ts';
import { fromJson, isRecordId } from '../basics/columns.ts';
import type { Tables } from '../basics/tables.ts';

/** Sizes in bytes. `octet_length` of a column does not read the value. */
export async function measureContents(
  db: Kysely<Tables>,
  owner: string,
  refs: readonly ContentRef[],
): Promise<readonly (number | undefined)[]> {
  const sizes = await readContents<number>(db, {
    owner,
    refs,
    body: sql`octet_length(body)`,
    toValue: Number,
    outputParts: sizeOfParts('generations.id'),
  });
  return sizes.map((size) => size && size.body + (size.outputParts ?? 0));
}

/** Returns JSON texts: of the content and, for an output, of its parts. */
export async function readTexts(
  db: Kysely<Tables>,
  owner: string,
  refs: readonly ContentRef[],
): Promise<readonly (ContentTexts | undefined)[]> {
  const texts = await readContents<string>(db, {
    owner,
    refs,
    body: sql`body`,
    toValue: String,
    outputParts: joinedParts('generations.id'),
  });
  return texts.map((text) => text && [text.body, ...toPartTexts(text.outputParts)]);
}

type ContentTexts = readonly [body: string, ...outputParts: string[]];

/** Parses what `readTexts` returned. Large work is divided into pieces. */
export async function parseTexts<Name extends ContentName>(
  refs: readonly ContentRef<Name>[],
  contents: readonly (ContentTexts | undefined)[],
): Promise<readonly (Contents[Name] | undefined)[]> {
  let parsedChars = 0;
  const parse = async (text: string): Promise<ParsedText> => {
    const chars = text.length;
    parsedChars += chars;
    if (chars > largeChars) return { value: await parseInPieces(text), chars };
    if (parsedChars > largeChars) {
      await largeWork.nextPiece();
      parsedChars = chars;
    }
    return parseText(text);
  };
  const values: (Contents[Name] | undefined)[] = [];
  for (const [index, { name }] of refs.entries()) {
    const texts = contents[index];
    if (!texts) {
      values.push(undefined);
      continue;
    }
    const [body, ...outputParts] = texts;
    const parsed = await parse(body);
    const parts: ParsedText[] = [];
    for (const part of outputParts) parts.push(await parse(part));
    values.push(fromJson(name, assembleOutput(parsed, parts)));
  }
  return values;
}

interface Request<Value> {
  readonly owner: string;
  readonly refs: readonly ContentRef[];
  /** Expression over the column of each content. */
  readonly body: RawBuilder<Value>;
  readonly toValue: (column: unknown) => Value;
  /** Expression over the parts of an output. */
  readonly outputParts: RawBuilder<Value | null>;
}

interface Found<Value> {
  readonly body: Value;
  readonly outputParts: Value | null;
}

async function readContents<Value extends string | number>(
  db: Kysely<Tables>,
  { owner, refs, body, toValue, outputParts }: Request<Value>,
): Promise<readonly (Found<Value> | undefined)[]> {
  const found = new Map<string, Found<Value>>();
  const valid = refs.filter(({ id }) => isRecordId(id));
  for (const part of contentNames) {
    const ids = valid.filter(({ name }) => name === part).map(({ id }) => id);
    if (ids.length === 0) continue;
    const rows = await db
      .selectFrom('contents')
      .innerJoin('generations', 'generations.id', 'contents.generation_id')
      .select(['generation_id', body.as('value')])
      .$if(part === 'output', (query) => query.select(outputParts.as('output_parts')))
      .where('owner', '=', owner)
      .where('generation_id', 'in', ids)
      .where('part', '=', part)
      .execute();
    for (const { generation_id: id, value, output_parts: parts = null } of rows)
      found.set(`${part} ${id}`, {
        body: toValue(value),
        outputParts: parts === null ? null : toValue(parts),
      });
  }
  return refs.map(({ id, name }) => found.get(`${name} ${id}`));
}

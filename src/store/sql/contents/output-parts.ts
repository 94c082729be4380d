import { type RawBuilder, sql } from 'kysely';
import { applyEdits, type JsonEdit } from '../../../lib/json-edits.ts';
import { type Json, parseJson } from '../../../lib/json.ts';
import { fromJson } from '../basics/columns.ts';
import type { OutputPart } from '../basics/tables.ts';

export function nameOfPart(part: number): OutputPart {
  return `output+${String(part).padStart(6, '0')}`;
}

/** SQL condition for the rows of parts. Their names follow `output`. */
export function isOutputPart(column = 'part'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} > 'output' and ${sql.ref(column)} < 'output~'`;
}

/** No JSON text that this program writes contains it. */
const separator = '\n';

/** SQL expression for all parts of the generation in `idColumn`, as `toPartTexts` reads them. Null if there are none. */
export function joinedParts(idColumn: string): RawBuilder<string | null> {
  return sql<string | null>`(
    select string_agg(parts.body, ${sql.lit(separator)}) from contents as parts
    where parts.generation_id = ${sql.ref(idColumn)} and ${isOutputPart('parts.part')}
  )`;
}

/** SQL expression for the size of all parts in bytes. */
export function sizeOfParts(idColumn: string): RawBuilder<number> {
  return sql<number>`coalesce((
    select sum(octet_length(parts.body)) from contents as parts
    where parts.generation_id = ${sql.ref(idColumn)} and ${isOutputPart('parts.part')}
  ), 0)`;
}

export function toPartTexts(joined: string | null): readonly string[] {
  return joined === null ? [] : joined.split(separator);
}

/** JSON text and its value. */
export interface ParsedText {
  readonly value: Json;
  readonly chars: number;
}

export function parseText(text: string): ParsedText {
  return { value: parseJson(text), chars: text.length };
}

/** The output with its parts, which come in any order. */
export function assembleOutput({ value, chars }: ParsedText, parts: readonly ParsedText[]): Json {
  const numbered = parts.map((part) => ({ chars: part.chars, body: fromJson('outputPart', part.value) }));
  let before = chars;
  const edits: JsonEdit[] = [];
  for (const part of numbered.toSorted((left, right) => left.body.part - right.body.part)) {
    if (part.body.after !== before) break;
    for (const edit of part.body.edits) edits.push(edit);
    before = part.chars;
  }
  return applyEdits(value, edits);
}

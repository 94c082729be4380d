import { type RawBuilder, sql } from 'kysely';
import type { JsonEdit } from '../../../lib/json-edits.ts';
import { parseJson, stringifyJson } from '../../../lib/json.ts';
import type { AccessToken, Contents, Generation, GenerationFailure, Task } from '../../records.ts';
import type { Position } from '../../store.ts';

/** Whether a client-supplied id has the format of our record ids. Other text may contain characters that an engine rejects. */
export function isRecordId(id: string): boolean {
  return /^[\w-]{1,4000}$/.test(id);
}

/** Encodes a client-chosen name as a comparable column. Empty means none. */
export function toNameColumn(name: string | undefined): string {
  return name === undefined ? '' : JSON.stringify(name);
}

export function fromNameColumn(column: string): string | undefined {
  return column === '' ? undefined : String(JSON.parse(column));
}

/** SQL condition: a row was created before (`<`) or after (`>`) a position. */
export function isBeyond(comparison: '<' | '>', { createdAt, id }: Position): RawBuilder<boolean> {
  return sql<boolean>`(created_at, id) ${sql.raw(comparison)} (${createdAt}, ${id})`;
}

export function toTextColumn(value: unknown): string | null {
  return value === undefined ? null : stringifyJson(value);
}

/**
 * The output of a running generation is one row of `contents` and, once it is long, rows with parts: what has changed since.
 * Older versions read the first row only. They delete, count and keep the parts like every row of `contents`.
 */
export interface PartBody {
  /** From 1. */
  readonly part: number;
  /**
   * Length of the text before it: of the output, or of the part before. A part that continues another text is ignored, so a
   * write that arrives late cannot mix two outputs.
   */
  readonly after: number;
  readonly edits: readonly JsonEdit[];
}

/** What the columns with JSON text hold. */
interface JsonColumns extends Contents, Pick<Generation, 'usage' | 'error'> {
  readonly outputPart: PartBody;
  readonly task: Omit<Task, 'owner'>;
  readonly accessToken: Omit<AccessToken, 'owner'>;
  readonly failure: GenerationFailure;
  readonly readFailure: GenerationFailure;
}

/** JSON that this program wrote. The name says what it holds. */
export function fromJson<Name extends keyof JsonColumns>(_name: Name, json: unknown): JsonColumns[Name] {
  return json as JsonColumns[Name];
}

export function parseColumn<Name extends keyof JsonColumns>(name: Name, text: string): JsonColumns[Name] {
  return fromJson(name, parseJson(text));
}

/** Like `parseColumn`, for a column that `toTextColumn` wrote. */
export function fromTextColumn<Name extends keyof JsonColumns>(
  name: Name,
  column: string | null,
): JsonColumns[Name] | undefined {
  return column === null ? undefined : parseColumn(name, column);
}

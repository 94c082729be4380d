import { type RawBuilder, sql } from 'kysely';
import { parseJson, stringifyJson } from '../../../lib/json.ts';
import type { AccessToken, Generation, GenerationFailure, Task } from '../../records.ts';
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

/** What the columns with JSON text hold. */
interface JsonColumns extends Pick<Generation, 'prompt' | 'input' | 'raw' | 'usage' | 'error'> {
  readonly task: Omit<Task, 'owner'>;
  readonly accessToken: Omit<AccessToken, 'owner'>;
  readonly failure: GenerationFailure;
  readonly readFailure: GenerationFailure;
}

/** Decodes JSON text that this program wrote. The name says what it holds. */
export function parseColumn<Name extends keyof JsonColumns>(_name: Name, text: string): JsonColumns[Name] {
  return parseJson(text) as unknown as JsonColumns[Name];
}

/** Like `parseColumn`, for a column that `toTextColumn` wrote. */
export function fromTextColumn<Name extends keyof JsonColumns>(
  name: Name,
  column: string | null,
): JsonColumns[Name] | undefined {
  return column === null ? undefined : parseColumn(name, column);
}

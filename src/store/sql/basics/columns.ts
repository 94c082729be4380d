import { type Json, parseJson, stringifyJson } from '../../../lib/json.ts';

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

export function toTextColumn(value: unknown): string | null {
  return value === undefined ? null : stringifyJson(value);
}

/** Decodes a column that `toTextColumn` wrote. */
export function fromTextColumn(column: string | null): Json | undefined {
  return column === null ? undefined : parseJson(column);
}

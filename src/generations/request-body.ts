import { isRecord, type JsonObject } from '../lib/json.ts';

/** A request body from its declared members, absent and null ones left out, and then what `extra` adds. */
export function withoutAbsent(declared: Readonly<Record<string, unknown>>, extra?: unknown): JsonObject {
  const present = Object.entries(declared).filter(([, value]) => value !== undefined && value !== null);
  // Members come from coerced input: JSON values throughout.
  return { ...Object.fromEntries(present), ...(isRecord(extra) && extra) } as JsonObject;
}

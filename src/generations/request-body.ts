import { asJsonObject, isRecord, type JsonObject } from '../lib/json.ts';

/** Builds a request body: the declared members that are neither absent nor null, then the members of `extra`. */
export function withoutAbsent(declared: Readonly<Record<string, unknown>>, extra?: unknown): JsonObject {
  const present = Object.entries(declared).filter(([, value]) => value !== undefined && value !== null);
  // Coerced input holds only JSON values.
  return asJsonObject({ ...Object.fromEntries(present), ...(isRecord(extra) && extra) }) ?? {};
}

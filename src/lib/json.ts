/** A JSON value. Integers beyond ±2^53 are bigint, so that 64-bit seeds and file ids stay exact. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** Whether the value is an object or a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export function isList(value: Json | undefined): value is readonly Json[];
export function isList(value: unknown): value is readonly unknown[];
export function isList(value: unknown): boolean {
  return Array.isArray(value);
}

export function isRecord(value: Json | undefined): value is JsonObject;
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>>;
export function isRecord(value: unknown): boolean {
  return isObject(value) && !Array.isArray(value);
}

/** The value if it is a string, else undefined. For optional members of untrusted bodies, like the `as…` functions below. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** The highest position in a list that GraphQL's Int can hold. */
export const maxIndex = 2 ** 31 - 1;

/** An integer that fits GraphQL's Int: a number or its digits. */
export function asCount(value: unknown): number | undefined {
  const count = asInteger(typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value);
  return count !== undefined && Math.abs(count) <= maxIndex ? count : undefined;
}

/** A position in a list. */
export function asIndex(value: unknown): number | undefined {
  const index = asCount(value);
  return index !== undefined && index >= 0 ? index : undefined;
}

export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** An integer of any size, given as a number, a bigint or a string of digits. */
export function asWideInteger(value: unknown): number | bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return asInteger(value);
  if (typeof value !== 'string' || !/^-?\d{1,100}$/.test(value)) return undefined;
  const integer = BigInt(value);
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}

export function asRecord(value: Json | undefined): JsonObject | undefined;
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined;
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? value : undefined;
}

/** A member of a parsed JSON document that is an object itself. */
export function asJsonObject(value: unknown): JsonObject | undefined;
export function asJsonObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  // Every member of a parsed document is JSON.
  return isRecord(value) ? value : undefined;
}

export function asArray(value: Json | undefined): readonly Json[];
export function asArray(value: unknown): readonly unknown[];
export function asArray(value: unknown): readonly unknown[] {
  return isList(value) ? value : [];
}

/** The objects of a list in a parsed document. */
export function asRecords(value: Json | undefined): readonly JsonObject[] {
  return asArray(value).flatMap((item) => (isRecord(item) ? [item] : []));
}

/** An identifier as a string. Some gateways send identifiers as numbers. */
export function asId(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Whether a value says nothing: it is absent, or consists of empty texts, lists and objects. */
export function isBlank(value: unknown): boolean {
  if (typeof value !== 'object') return value === undefined || value === '';
  return value === null || Object.values(value).every(isBlank);
}

/** The strings of a value in their order, each as often as it occurs. Names of members are not among them. */
export function stringsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap((item) => stringsIn(item));
  return isRecord(value) ? Object.values(value).flatMap((member) => stringsIn(member)) : [];
}

/** The value with other strings. Parts without a change are returned as they are. The names of members stay. */
export function replaceStrings<Value>(value: Value, replace: (text: string) => string): Value;
export function replaceStrings(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (isList(value)) {
    const items = value.map((item) => replaceStrings(item, replace));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isRecord(value)) return value;
  let replaced: Record<string, unknown> | undefined;
  for (const [name, member] of Object.entries(value)) {
    const other: unknown = replaceStrings(member, replace);
    if (other !== member) (replaced ??= { ...value })[name] = other;
  }
  return replaced ?? value;
}

/** Whether two JSON values are equal. The order of members does not matter. */
export function isSameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (isList(left) || isList(right)) return isList(left) && isList(right) && areSameItems(left, right);
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  for (const name of names)
    if (!Object.hasOwn(right, name) || !isSameJson(left[name], right[name])) return false;
  return true;
}

function areSameItems(left: readonly Json[], right: readonly Json[]): boolean {
  return left.length === right.length && left.every((item, index) => isSameJson(item, right[index]));
}

type ReviverContext = { readonly source?: string };
// The reviver's third argument (JSON.parse source text access) and JSON.rawJSON are not in TypeScript's library yet.
type ExactReviver = (key: string, value: unknown, context?: ReviverContext) => unknown;
const parse: (text: string, reviver?: ExactReviver) => Json = JSON.parse;
declare global {
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/** No integer with fewer digits is beyond ±2^53. */
const minWideDigits = 16;

/** Whether the text may contain integers beyond ±2^53. A run of 16 digits covers one position in every 16. */
export function mayHaveWideIntegers(text: string): boolean {
  for (let index = minWideDigits - 1; index < text.length; index += minWideDigits) {
    if (isDigit(text, index) && hasWideRun(text, index)) return true;
  }
  return false;
}

/** Whether at least 16 digits surround this digit. */
function hasWideRun(text: string, index: number): boolean {
  let start = index;
  while (isDigit(text, start - 1)) start -= 1;
  let end = index + 1;
  while (end - start < minWideDigits && isDigit(text, end)) end += 1;
  return end - start >= minWideDigits;
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0x30 && code <= 0x39;
}

/** JSON.parse that keeps integers beyond ±2^53 exact, as bigint. @throws SyntaxError */
export function parseJson(text: string, mayBeWide = mayHaveWideIntegers(text)): Json {
  return mayBeWide ? parse(text, reviveWideIntegers) : parse(text);
}

/** Creating a bigint takes more than linear time, so clients must not choose its size. */
const maxRequestDigits = 100;

/**
 * Like `parseJson`, for text from clients. An integer of more than 100 digits becomes ±Infinity, which every scalar refuses.
 * @throws SyntaxError
 */
export function parseRequestJson(text: string, mayBeWide = mayHaveWideIntegers(text)): Json {
  if (!mayBeWide) return parse(text);
  return parse(text, (key, value, context) => {
    const isTooLong = typeof value === 'number' && (context?.source?.length ?? 0) > maxRequestDigits;
    // With more than 308 digits, it is Infinity already.
    if (isTooLong && (Number.isInteger(value) || !Number.isFinite(value)))
      return value < 0 ? -Infinity : Infinity;
    return reviveWideIntegers(key, value, context);
  });
}

function reviveWideIntegers(_key: string, value: unknown, context?: ReviverContext): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && /^-?[0-9]+$/.test(source) ? BigInt(source) : value;
}

/** Digits that plain JSON.stringify writes as a number. */
export function toRawInteger(value: bigint): unknown {
  return JSON.rawJSON(value.toString());
}

/** JSON.stringify that writes bigint as plain digits. */
export function stringifyJson(value: unknown): string {
  try {
    // Several times faster than with a replacer.
    return JSON.stringify(value);
  } catch (error) {
    // JSON.stringify does not know bigint.
    if (!(error instanceof TypeError)) throw error;
  }
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? toRawInteger(member) : member,
  );
}

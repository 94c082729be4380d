import { isList, isRecord } from './json.ts';
import { stringPieces } from './json-pieces.ts';

/**
 * Canonical JSON for fingerprints: equal values give equal text. Keys are sorted, null members are omitted, and bigint is
 * written as digits. Not a wire format.
 */
export function canonicalJson(value: unknown): string {
  return [...canonicalPieces(value)].join('');
}

/** The text of `canonicalJson` in parts. */
export function* canonicalPieces(value: unknown): Generator<string, void> {
  if (typeof value === 'string') yield* stringPieces(value);
  else if (typeof value === 'bigint') yield value.toString();
  else if (value instanceof Date) yield JSON.stringify(value);
  else if (isList(value)) {
    let separator = '[';
    for (const item of value) {
      yield separator;
      yield* canonicalPieces(item ?? null);
      separator = ',';
    }
    yield value.length === 0 ? '[]' : ']';
  } else if (isRecord(value)) {
    let separator = '{';
    for (const key of Object.keys(value).toSorted()) {
      const member = value[key];
      if (member === null || member === undefined) continue;
      yield `${separator}${JSON.stringify(key)}:`;
      yield* canonicalPieces(member);
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  } else yield JSON.stringify(value) ?? 'null';
}

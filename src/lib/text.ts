import { hash } from 'node:crypto';

const maxCounted = 10_000;

/** Number of code points, not UTF-16 code units. */
export function codePoints(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Whether a text has more code points than `max`. Counts them only if its length in code units decides nothing. */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || codePoints(text) > max);
}

/** The length of a text as shown to clients. One that is very long is not counted: an operation may use it many times. */
export function lengthText(text: string): string {
  const { length } = text;
  return length > maxCounted ? `${length} UTF-16 code units` : `${codePoints(text)} characters`;
}

/** Whether the text, or its part up to `end`, ends inside of a character. */
export function endsInHighSurrogate(text: string, end = text.length): boolean {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

/** Text without the byte order mark that the beginning of a body may have. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Truncates text with an ellipsis. Never splits a surrogate pair. */
export function abbreviate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength - 1);
  return `${endsInHighSurrogate(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Replaces the middle of a long text by an ellipsis. Never splits a surrogate pair. */
export function abbreviateMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const headLength = Math.ceil(maxLength / 2);
  const head = abbreviate(text, headLength);
  const tail = text.slice(text.length - (maxLength - headLength));
  return `${head}${startsInLowSurrogate(tail) ? tail.slice(1) : tail}`;
}

function startsInLowSurrogate(text: string): boolean {
  const first = text.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff;
}

/** Decimal notation, rounded to `maxDecimals`, without trailing zeros. */
export function decimalText(value: number, maxDecimals: number): string {
  return String(Number(value.toFixed(maxDecimals)));
}

/** Exact decimal notation, without an exponent, of a nonzero number between -1 and 1. */
export function fractionText(value: number): string {
  const [mantissa = '', exponent] = Math.abs(value).toExponential().split('e-');
  const digits = '0'.repeat(Number(exponent) - 1) + mantissa.replace('.', '');
  return `${value < 0 ? '-' : ''}0.${digits}`;
}

/** `image-queue` and `image_queue` become `imageQueue`. */
export function toCamelCase(name: string): string {
  return name.replaceAll(/[-_](\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** Text for a comparison without case and without variants of one character. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** A short digest that distinguishes lists of texts. Not for secrets. */
export function digestOf(texts: readonly string[]): string {
  return hash('sha256', JSON.stringify(texts), 'base64url').slice(0, 11);
}

/**
 * The digits of base64 text, of either alphabet, without its padding. Undefined if the text is not base64 or has none. It
 * searches for what is no digit: a pattern that matches every character of a long text can overflow the stack of regular
 * expressions, which V8 limits to 64 MB.
 */
export function base64Digits(text: string): string | undefined {
  const digits = text.replace(/={1,2}$/, '');
  return digits !== '' && !/[^A-Za-z\d+/_-]/.test(digits) ? digits : undefined;
}

/** Of each end of a long text. The check blocks the event loop, for 2 ms a megabyte. */
const checkedChars = 524_288;

/**
 * Whether the text is base64 of whole bytes, in either alphabet of RFC 4648, with or without padding. Of more than a megabyte, only
 * the ends and the length are checked.
 */
export function isBase64(text: string): boolean {
  const length = text.length - (/={1,2}$/.exec(text.slice(-2))?.[0].length ?? 0);
  if (length === 0 || length % 4 === 1) return false;
  const isLong = length > 2 * checkedChars;
  const parts = isLong
    ? [text.slice(0, checkedChars), text.slice(length - checkedChars, length)]
    : [text.slice(0, length)];
  return parts.every((part) => base64Digits(part) === part);
}

/** What such text matches, for JSON Schema: a pattern for groups of four digits overflows the stack of common engines. */
export const base64Pattern = String.raw`[\w+/-]{2,}={0,2}$`;

/**
 * The digits of base64 text, of either alphabet, without its padding. Undefined if the text is not base64 or has none. It
 * searches for what is no digit: a pattern that matches every character of a long text can overflow the stack of regular
 * expressions, which V8 limits to 64 MB.
 */
export function base64Digits(text: string): string | undefined {
  const digits = text.replace(/={1,2}$/, '');
  return digits !== '' && !/[^A-Za-z\d+/_-]/.test(digits) ? digits : undefined;
}

/** Whether the text is base64 of whole bytes, in either alphabet of RFC 4648, with or without padding. */
export function isBase64(text: string): boolean {
  const digits = base64Digits(text);
  return digits !== undefined && digits.length % 4 !== 1;
}

/** What such text matches, for JSON Schema: a pattern for groups of four digits overflows the stack of common engines. */
export const base64Pattern = String.raw`[\w+/-]{2,}={0,2}$`;

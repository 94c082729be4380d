/** Length as people count characters: code points, not UTF-16 units. */
export function codePoints(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

export function endsInHighSurrogate(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

/** Shortens long text for a message, never inside a surrogate pair. */
export function abbreviate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength - 1);
  return `${endsInHighSurrogate(cut) ? cut.slice(0, -1) : cut}…`;
}

/** A number in plain decimal digits, without an exponent or the tail of a binary fraction. */
export function decimalText(value: number, maxDecimals: number): string {
  return String(Number(value.toFixed(maxDecimals)));
}

/** Every digit of a number between -1 and 1 that is not 0, without an exponent. */
export function fractionText(value: number): string {
  const [mantissa = '', exponent] = Math.abs(value).toExponential().split('e-');
  const digits = '0'.repeat(Number(exponent) - 1) + mantissa.replace('.', '');
  return `${value < 0 ? '-' : ''}0.${digits}`;
}

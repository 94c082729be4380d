import { replaceStrings } from '../lib/json.ts';

/** Text in place of base64 in an output whose file is in the store. No base64 text equals it, as no base64 has a space. */
export function movedText({
  sizeBytes,
  hash,
}: {
  readonly sizeBytes: number;
  readonly hash: string;
}): string {
  return `file: ${sizeBytes} bytes, sha256 ${hash}`;
}

/** Whether the content of an inline file is only in the store. */
export function isMoved(base64: string | undefined): boolean {
  return base64 !== undefined && base64.length < 120 && /^file: \d+ bytes, sha256 [\da-f]{64}$/.test(base64);
}

/** The value with other texts in place of base64, also in data URIs. */
export function replaceBase64<Value>(value: Value, texts: ReadonlyMap<string, string>): Value {
  return replaceStrings(value, (text) => texts.get(text) ?? replacePayload(text, texts));
}

function replacePayload(text: string, texts: ReadonlyMap<string, string>): string {
  const comma = /^data:/i.test(text.slice(0, 5)) ? text.slice(0, 1000).indexOf(',') : -1;
  const moved = comma < 0 ? undefined : texts.get(text.slice(comma + 1));
  return moved === undefined ? text : text.slice(0, comma + 1) + moved;
}

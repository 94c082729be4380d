import { type Json, stringsIn } from '../lib/json.ts';
import type { InputState } from '../store/records.ts';
import { minMediaChars } from './without-media.ts';

/**
 * Whether the recorded messages are those that were sent. `replaced` has what the record holds in place of other values, in any
 * part of the request.
 */
export function inputStateOf(messages: Json | undefined, replaced: ReadonlySet<string>): InputState {
  if (replaced.size === 0) return 'WHOLE';
  return stateOf(messages, (text) => replaced.has(text));
}

/** The same for a record of an older version, which does not say it: by the form of what replaces a value. */
export function guessInputState(messages: Json | undefined): InputState {
  return stateOf(messages, (text) => text.length < minMediaChars && description.test(text));
}

const description = /^(text|base64|data:[\w.+/-]+(;[^,]*)?): \d+ bytes, sha256 [\da-f]{64}$/i;

function stateOf(messages: Json | undefined, isReplaced: (text: string) => boolean): InputState {
  // A request that was too large without its texts is recorded as a single hash.
  if (!Array.isArray(messages)) return 'TEXT_NOT_RECORDED';
  const found = stringsIn(messages).find(isReplaced);
  if (found === undefined) return 'WHOLE';
  return found.startsWith('text:') ? 'TEXT_NOT_RECORDED' : 'MEDIA_NOT_RECORDED';
}

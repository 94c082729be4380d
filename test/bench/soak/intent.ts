/** Ends the processes of a soak that hangs. Longer than the longest run. */
export const maxLifeMs = 25 * 3_600_000;

/** A create of the soak, written in its prompt: the upstream needs no other state. */
export interface Intent {
  /** Unique. The upstream counts its requests by it. */
  readonly key: string;
  readonly kind: 'chat' | 'big' | 'refused' | 'song';
  /** Number of words of the reply. */
  readonly words: number | string;
}

export const chatPrompt = /soak (?<kind>\w+) (?<key>k\d+) (?<words>\d+)/;

export function promptOf({ kind, key, words }: Intent): string {
  return `soak ${kind} ${key} ${words}`;
}

/** Size of a word of a big reply, whose events exceed what the kernel buffers for a client that does not read. */
const bigWordChars = 60_000;

export function chatWord({ kind, key }: Intent, number: number): string {
  const word = `${key}:${number} `;
  return kind === 'big' ? word.padEnd(bigWordChars, 'x') : word;
}

export function chatText(intent: Intent): string {
  return Array.from({ length: Number(intent.words) }, (_, index) => chatWord(intent, index + 1)).join('');
}

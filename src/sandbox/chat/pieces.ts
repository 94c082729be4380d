// A token is up to eight letters with the space before them, up to three digits, a run of one punctuation mark, a run
// of line breaks, or any other single character. Joining the tokens restores the text. No token splits a surrogate pair.
const piece =
  / ?[\p{Script=Latin}\p{M}]{1,8}|\p{Script=Han}| ?\p{L}{1,4}| ?\p{N}{1,3}|\n+| ?([!-/:-@[-`{-~])\1*|[^]/gu;

/** Splits a text into tokens. */
export function splitPieces(text: string): string[] {
  return text.match(piece) ?? [];
}

/** Only this many characters of a text are split, since millions of pieces would block the process for seconds. */
const maxSplitLength = 100_000;

/** The number of tokens; of a very long text, as many as its beginning lets expect. */
export function countTokens(text: string): number {
  if (text.length <= maxSplitLength) return splitPieces(text).length;
  return Math.round((countTokens(text.slice(0, maxSplitLength)) * text.length) / maxSplitLength);
}

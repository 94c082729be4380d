const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** Matches a number of things in a prompt. */
export const countPattern = String.raw`(\d{1,2}|${words.join('|')})`;

/** The number of such things that a prompt asks for: 4 for "four simple tips". */
export function findListLength(prompt: string, before: string, nouns: string): number | undefined {
  const pattern = new RegExp(String.raw`\b${before}${countPattern} (?:\w+ )?(?:${nouns})\b`, 'i');
  const number = pattern.exec(prompt)?.[1];
  return number === undefined ? undefined : Number(number) || words.indexOf(number.toLowerCase()) + 1;
}

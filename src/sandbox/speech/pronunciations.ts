/** The first problem of pronunciation rules, a JSON array of `<word>/<replacement>` in a string. */
export function findPronunciationProblem(text: string): string | undefined {
  let rules: unknown;
  try {
    rules = JSON.parse(text);
  } catch {
    return 'expected a JSON array of <word>/<replacement> entries';
  }
  if (!Array.isArray(rules)) return 'expected a JSON array of <word>/<replacement> entries';
  for (const [index, rule] of rules.entries()) {
    const problem = typeof rule === 'string' ? findRuleProblem(rule) : 'expected a string';
    if (problem !== undefined) return `entry ${index}: ${problem}`;
  }
  return undefined;
}

/** `(chu3)(li3)`: one syllable in each pair of parentheses, its tone as a digit. Accents can be combining characters. */
const syllable = /\([\p{Script=Latin}\p{M}:]+[1-5]\)/gu;
/** Nothing but syllables with tones, without parentheses. */
const bareSyllables = /^([a-zü:]{0,6}[aeiouü][a-zü:]{0,6}\d\s*)+$/i;

function findRuleProblem(rule: string): string | undefined {
  const slash = rule.indexOf('/');
  const word = rule.slice(0, slash).trim();
  const replacement = rule.slice(slash + 1).trim();
  if (slash < 0 || word === '' || replacement === '') return 'expected <word>/<replacement>';
  const characters = word.match(/\p{Script=Han}/gu)?.length ?? 0;
  // Parentheses and tones have a meaning for Chinese only.
  if (characters === 0) return undefined;
  const count = replacement.match(syllable)?.length ?? 0;
  const isBare = bareSyllables.test(replacement) && replacement.match(/\d/g)?.length === characters;
  if (isBare || /[()]/.test(replacement.replaceAll(syllable, ''))) {
    return 'expected each syllable in parentheses, ending in a tone from 1 to 5';
  }
  if (count > 0 && count !== characters) {
    return `expected ${characters} syllables, one for each character`;
  }
  return undefined;
}

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

/** `(chu3)(li3)`: one syllable in each pair of parentheses, its tone as a digit. */
const syllables = /^(\([a-zü:]+[1-5]\))+$/i;

function findRuleProblem(rule: string): string | undefined {
  const slash = rule.indexOf('/');
  const word = rule.slice(0, slash).trim();
  const replacement = rule.slice(slash + 1).trim();
  if (slash < 0 || word === '' || replacement === '') return 'expected <word>/<replacement>';
  if (!/[()]/.test(replacement)) return undefined;
  if (!syllables.test(replacement)) {
    return 'expected each syllable in parentheses, ending in a tone from 1 to 5';
  }
  const characters = word.match(/\p{Script=Han}/gu)?.length ?? 0;
  const count = replacement.split('(').length - 1;
  if (characters > 0 && characters !== count) {
    return `expected ${characters} syllables, one for each character`;
  }
  return undefined;
}

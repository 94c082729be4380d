import stopWordLines from './stop-words.json' with { type: 'json' };

const stopWords: ReadonlySet<string> = new Set(stopWordLines.flatMap((line) => line.split(' ')));
const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}'’+#-]*/gu;
const maxWordsPerTopic = 3;
const maxWordLength = 40;

/** The words before a topic that belong to it, as the reply says them. */
const articles: ReadonlyMap<string, readonly string[]> = new Map([
  ...['the', 'a', 'an', 'this', 'these'].map((article) => [article, [article]] as const),
  ...['my', 'our'].map((article) => [article, ['your']] as const),
]);

interface Run {
  readonly article: readonly string[];
  readonly words: string[];
  /** Whether a word like "about" introduces it. */
  readonly isIntroduced: boolean;
  end: number;
}

/** The topics of a text: runs of significant words, the most significant run first. */
export function findTopics(text: string): string[] {
  const runs: Run[] = [];
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    if (!isSignificant(word)) continue;
    const end = index + word.length;
    const run = runs.at(-1);
    if (run && run.words.length < maxWordsPerTopic && text.slice(run.end, index) === ' ') {
      run.words.push(word);
      run.end = end;
      continue;
    }
    const before = text.slice(Math.max(index - 24, 0), index);
    runs.push({
      article: articles.get(/(\w+) $/.exec(before)?.[1]?.toLowerCase() ?? '') ?? [],
      words: [/\bhow (to|(do|can|should) (i|we|you)) $/i.test(before) ? toGerund(word) : word],
      isIntroduced: /\b(about|of|on|explain|is|are|for|with)( an?| the| this| my)? $/i.test(before),
      end,
    });
  }
  const topics = runs
    .toSorted((one, other) => scoreOf(other) - scoreOf(one))
    .map(({ article, words }) => [...article, ...words].join(' '));
  return [...new Map(topics.map((topic) => [topic.toLowerCase(), topic])).values()];
}

function scoreOf({ words, isIntroduced }: Run): number {
  return words.length + (isIntroduced ? 2 : 0);
}

/** `bake` becomes `baking`, so that a sentence can be about it. */
function toGerund(verb: string): string {
  if (/[^e]e$/.test(verb)) return `${verb.slice(0, -1)}ing`;
  return /^[^aeiou]*[aeiou][bdgmnpt]$/.test(verb) ? `${verb}${verb.at(-1)}ing` : `${verb}ing`;
}

/** The significant words of a text in lower case, to compare texts. */
export function findKeywords(text: string): string[] {
  return [...text.matchAll(wordPattern)].map(([word]) => word.toLowerCase()).filter(isSignificant);
}

function isSignificant(word: string): boolean {
  const isLongEnough = word.length > 2 || /^[A-Z]{2}$/.test(word) || /\P{ASCII}/u.test(word);
  const isStopWord = stopWords.has(word.toLowerCase().replaceAll('’', "'"));
  return isLongEnough && word.length <= maxWordLength && !isStopWord;
}

const stopWords = new Set(
  `a about above after again all also am an and any are aren't as ask asked at be because been before being below
  between both briefly but by can can't cannot come comes could couldn't did didn't do does doesn't doing don't done
  down during each else even every explain explained few find for from further get getting give given go going good
  got had has hasn't have haven't having he hello help her here hers hey hi him his how i i'd i'll i'm i've if in into
  is isn't it it's its itself just keep know let let's like list long look lot made make makes making many may maybe me
  mean means more most much must my myself name names need needs no nor not now of off ok okay on once one only or
  other our ours out over own please quick quickly really right said same say says see she should show simple so some
  something sort sure take talk tell than thank thanks that that's the their them then there these they thing things
  think this those through to too topic try two under until up us use used using very want wants was wasn't way we
  well were what what's when where which while who whom whose why will with without won't word words work works would
  write writing written wrote yes yet you you're your yours yourself today tomorrow called call remember describe
  detail detailed details short summary summarise summarize paragraph paragraphs sentence sentences text essay story
  article poem example examples three four five six seven eight nine ten english answer reply question exactly repeat
  love loves enjoy create build generate draft compose compare discuss hello hi cook cooks eat eats drink buy sell fix translate won win wins
  invented discovered born died started help plan compare better best worse worst bad sad happy tired angry blue
  important useful dangerous expensive popular hard difficult easy big small different interesting great nice fun
  favourite favorite bug happen happens happened people put back first last new json object return keys key fields field output format respond`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const word = /[\p{L}\p{N}][\p{L}\p{N}'’+#-]*/gu;
const maxWordsPerTopic = 3;
const maxWordLength = 40;

// What stands before a topic and belongs to it, as the reply says it.
const articles: Readonly<Record<string, string>> = {
  the: 'the',
  a: 'a',
  an: 'an',
  this: 'this',
  these: 'these',
  my: 'your',
  our: 'your',
};

/** What a text is about: runs of telling words, the most telling first. Empty where there are none. */
export function findTopics(text: string): string[] {
  const runs: { text: string; score: number }[] = [];
  const words = [...text.matchAll(word)];
  let run: string[] = [];
  let runEnd = -1;
  let isAfterMarker = false;
  let article: string | undefined;
  const closeRun = (): void => {
    const words = article === undefined ? run : [article, ...run];
    if (run.length > 0) runs.push({ text: words.join(' '), score: run.length + (isAfterMarker ? 2 : 0) });
    run = [];
  };
  for (const match of words) {
    const isAdjacent = text.slice(runEnd, match.index) === ' ';
    const isTelling = isTellingWord(match[0]);
    if (!isTelling || !isAdjacent || run.length === maxWordsPerTopic) closeRun();
    if (isTelling) {
      if (run.length === 0) {
        const before = text.slice(Math.max(match.index - 24, 0), match.index);
        isAfterMarker = /\b(about|of|on|explain|is|are|for|with)( an?| the| this| my)? $/i.test(before);
        article = articles[/(\w+) $/.exec(before)?.[1]?.toLowerCase() ?? ''];
        run.push(isAfterHowTo(before) ? toGerund(match[0]) : match[0]);
      } else {
        run.push(match[0]);
      }
    }
    runEnd = match.index + match[0].length;
  }
  closeRun();
  const seen = new Set<string>();
  return runs
    .sort((one, other) => other.score - one.score)
    .map((topic) => topic.text)
    .filter((topic) => !seen.has(topic.toLowerCase()) && seen.add(topic.toLowerCase()));
}

function isAfterHowTo(before: string): boolean {
  return /\bhow (to|do i|do you|do we|can i|should i) $/i.test(before);
}

/** `bake` becomes `baking`, so that it can be talked about. */
function toGerund(verb: string): string {
  if (/[^e]e$/.test(verb)) return `${verb.slice(0, -1)}ing`;
  return /^[^aeiou]*[aeiou][bdgmnpt]$/.test(verb) ? `${verb}${verb.at(-1)}ing` : `${verb}ing`;
}

/** The telling words of a text in lower case, for comparing texts. */
export function findKeywords(text: string): string[] {
  return [...text.matchAll(word)].map((match) => match[0].toLowerCase()).filter(isTellingWord);
}

function isTellingWord(candidate: string): boolean {
  const isLongEnough = candidate.length > 2 || /^[A-Z]{2}$/.test(candidate) || /\P{ASCII}/u.test(candidate);
  return (
    isLongEnough &&
    candidate.length <= maxWordLength &&
    !stopWords.has(candidate.toLowerCase().replaceAll('’', "'"))
  );
}

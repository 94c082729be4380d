import { countTokens } from '../pieces.ts';
import type { Dice } from '../../random.ts';
import { countPattern, findListLength } from './list-length.ts';
import phrases from './phrases.json' with { type: 'json' };
import { createDeck, fill, type Slots } from './sentences.ts';

/** The prompt of a text and its topics. */
export interface Brief {
  readonly prompt: string;
  readonly topics: readonly string[];
  /** `{t}` is the topic and `{u}` a second one. */
  readonly slots: Slots;
  readonly dice: Dice;
  readonly wantsShortText: boolean;
}

const maxWords = 4000;

/** A text of the kind that the prompt asks for. */
export function writeText(brief: Brief): string {
  const kind = kinds.find(
    ({ pattern, isLong }) => pattern.test(brief.prompt) && !(isLong && brief.wantsShortText),
  );
  return (kind?.write ?? writeParagraphs)(brief);
}

interface Kind {
  readonly pattern: RegExp;
  readonly write: (brief: Brief) => string;
  /** Whether a prompt that asks for brevity excludes it. */
  readonly isLong?: boolean;
}

const codeWords = /\b(code|function|script|program|snippet|python|javascript|typescript)\b/i;
const listNouns = '(?:way|tip|idea|reason|point|example|thing|fact|item|question|name|advantage|benefit)s';

const kinds: readonly Kind[] = [
  { pattern: /\bhaiku\b/i, write: ({ slots, dice }) => fill(dice.pick(phrases.haikus), slots) },
  { pattern: /\b(poem|verse|limerick)\b/i, write: writePoem },
  { pattern: /\b(story|tale|fairy ?tale|novel|legend)\b/i, write: writeStory },
  { pattern: /\b\d{2,5}[ -]words?\b/i, write: writeEssay },
  {
    pattern: /\b(essay|article|blog post|report|long|in detail|detailed|at length|as much as you can)\b/i,
    write: writeEssay,
    isLong: true,
  },
  { pattern: /\b(code|function|script|program|snippet)\b/i, write: writeCode },
  {
    pattern:
      /\b(versus|vs|compare|comparing|difference)\b|\b(better|prefer|choose|use)\b[^?]{0,200}\bor\b|\bor\b.{0,200}\b(better|prefer)\b/i,
    write: writeComparison,
    isLong: true,
  },
  {
    pattern: new RegExp(
      String.raw`\b(list|bullet points?|pros and cons|${countPattern} (\w+ )?${listNouns})\b`,
      'i',
    ),
    write: writeList,
  },
  { pattern: /\bhow (to|(do|can|should) (i|you|we))\b|\bsteps?\b/i, write: writeSteps, isLong: true },
];

/** One or two paragraphs: 40 to 120 tokens. */
function writeParagraphs({ slots, dice, wantsShortText }: Brief): string {
  const body = createDeck(phrases.bodies, slots, dice);
  const first = `${fill(dice.pick(phrases.openers), slots)} ${body()}`;
  if (wantsShortText) return first;
  const middle = dice.chance(0.4) ? fill(dice.pick(phrases.examples), slots) : body();
  const closer = fill(dice.pick(phrases.closers), slots);
  const [early, late] = dice.shuffle([' ', '\n\n']);
  const emoji = dice.chance(0.35) ? ` ${dice.pick(phrases.emojis)}` : '';
  return `${first}${early}${middle}${late}${closer}${emoji}`;
}

function writeComparison({ slots, dice }: Brief): string {
  const { openers, bodies, closers } = phrases.comparison;
  const body = createDeck(bodies, slots, dice);
  const [opener, closer] = [openers, closers].map((choices) => fill(dice.pick(choices), slots));
  return `${opener} ${body()} ${body()}\n\n${body()} ${closer}`;
}

function writeList({ prompt, slots, dice }: Brief): string {
  const point = createDeck(phrases.points, slots, dice);
  const length = findListLength(prompt, '', listNouns) ?? 5;
  const items = Array.from({ length: Math.min(length, 50) }, () => `- ${point()}`).join('\n');
  return fill(`Here is what I would note about {t}:\n\n${items}\n\n${dice.pick(phrases.closers)}`, slots);
}

function writeSteps({ slots, dice }: Brief): string {
  const steps = phrases.steps.map((step, index) => `${index + 1}. ${fill(step, slots)}`).join('\n');
  const [opener, closer] = [phrases.openers, phrases.closers].map((choices) =>
    fill(dice.pick(choices), slots),
  );
  return `${opener}\n\n${steps}\n\n${closer} ${dice.pick(phrases.emojis)}`;
}

/** A small program in a Markdown fence, named after the topic. */
function writeCode({ prompt, topics, dice }: Brief): string {
  const t = topics.find((topic) => !codeWords.test(topic)) ?? 'your values';
  const words = t.toLowerCase().match(/[a-z0-9]+/g) ?? ['items'];
  const code = /\bpython\b/i.test(prompt) ? phrases.python : phrases.javascript;
  const names = { snake: words.join('_'), pascal: words.map((word) => fill(word, {})).join('') };
  return fill(`${code}\n\n${dice.pick(phrases.closers)}`, { t, u: 'the names', ...names });
}

function writePoem({ slots, dice }: Brief): string {
  const verses = dice.shuffle(phrases.verses).slice(0, 3);
  return verses.map((verse) => fill(verse, slots)).join('\n\n');
}

/** An essay of paragraphs, some under a heading. */
function writeEssay(brief: Brief): string {
  const { slots, dice } = brief;
  const body = createDeck(phrases.bodies, slots, dice);
  const example = createDeck(phrases.examples, slots, dice);
  const heading = createDeck(phrases.headings, slots, dice);
  const [opener, closer] = [phrases.openers, phrases.closers].map((choices) =>
    fill(dice.pick(choices), slots),
  );
  const sentences = writeUntilFull(brief, [opener ?? ''], () => (dice.chance(0.15) ? example() : body()));
  const hasHeadings = findWordCount(brief) === 0 && dice.chance(0.5);
  const paragraphs = toParagraphs(sentences, dice).flatMap((paragraph, index) =>
    hasHeadings && index % 3 === 1 ? [`## ${heading()}`, paragraph] : [paragraph],
  );
  return [...paragraphs, closer].join('\n\n');
}

/** A story with a beginning, a middle of the requested length, and an end. */
function writeStory(brief: Brief): string {
  const { dice } = brief;
  const { heroes, places, beginnings, middles, endings } = phrases.story;
  const [hero = '', friend = ''] = dice.shuffle(heroes);
  const slots = { ...brief.slots, hero, friend, place: dice.pick(places) };
  const plot = [...beginnings, ...endings].map((sentence) => fill(sentence, slots));
  let next = 0;
  const sentences = writeUntilFull(brief, plot, () => {
    next += 1;
    return fill(middles[(next - 1) % middles.length] ?? '', slots);
  });
  const middle = sentences.splice(plot.length);
  sentences.splice(beginnings.length, 0, ...middle);
  return toParagraphs(sentences, dice).join('\n\n');
}

/** Adds sentences up to the number of words that the prompt asks for, or to about 500 tokens. */
function writeUntilFull(brief: Brief, given: readonly string[], next: () => string): string[] {
  const words = findWordCount(brief);
  const measure = words === 0 ? countTokens : countWords;
  // The last sentence exceeds the limit by about half its length.
  const limit = words === 0 ? brief.dice.between(430, 600) : Math.min(words, maxWords) - 14;
  const sentences = [...given];
  let size = measure(given.join(' '));
  while (size < limit) {
    const sentence = next();
    size += measure(` ${sentence}`);
    sentences.push(sentence);
  }
  return sentences;
}

/** The number of words that the prompt requests, or 0. */
function findWordCount({ prompt }: Brief): number {
  return Number(/\b(\d{2,5})[ -]words?\b/i.exec(prompt)?.[1] ?? 0);
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

function toParagraphs(sentences: readonly string[], dice: Dice): string[] {
  const paragraphs: string[] = [];
  for (let at = 0; at < sentences.length;) {
    const length = dice.between(2, 5);
    paragraphs.push(sentences.slice(at, at + length).join(' '));
    at += length;
  }
  return paragraphs;
}

import { countTokens } from '../pieces.ts';
import type { Dice } from '../../random.ts';
import { bodies, closers, examples, headings, openers } from './phrases.ts';
import { beginnings, endings, heroes, middles, places } from './phrases-story.ts';
import { countWords, createDeck, fill, type Slots } from './sentences.ts';

export interface LongTextOptions {
  readonly slots: Slots;
  readonly dice: Dice;
  /** How many words were asked for; undefined for some hundreds of tokens. */
  readonly words: number | undefined;
}

const maxWords = 4000;

/** An essay of paragraphs, some under a heading. */
export function writeEssay(options: LongTextOptions): string {
  const { slots, dice } = options;
  const isFull = createGauge(options);
  const body = createDeck(bodies, slots, dice);
  const example = createDeck(examples, slots, dice);
  const heading = createDeck(headings, slots, dice);
  const hasHeadings = dice.chance(0.5);
  const paragraphs: string[] = [];
  const sentences = [fill(dice.pick(openers), slots)];
  while (!isFull([...paragraphs, sentences.join(' ')])) {
    if (sentences.length >= 4) {
      paragraphs.push(sentences.splice(0).join(' '));
      if (hasHeadings && paragraphs.length % 3 === 1) paragraphs.push(`## ${heading()}`);
    }
    sentences.push(dice.chance(0.15) ? example() : body());
  }
  paragraphs.push(sentences.join(' '));
  if (options.words === undefined) paragraphs.push(fill(dice.pick(closers), slots));
  return paragraphs.join('\n\n');
}

/** A story with a beginning, a middle of the length that is asked for, and an end. */
export function writeStory(options: LongTextOptions): string {
  const { dice } = options;
  const [hero = '', friend = ''] = dice.shuffle(heroes);
  const slots = { ...options.slots, hero, friend, place: dice.pick(places) };
  const isFull = createGauge(options);
  const sentences = beginnings.map((sentence) => fill(sentence, slots));
  const ending = endings.map((sentence) => fill(sentence, slots));
  for (let next = 0; !isFull([...sentences, ...ending]); next += 1) {
    sentences.push(fill(middles[next % middles.length] ?? middles[0], slots));
  }
  return toParagraphs([...sentences, ...ending], dice);
}

/** Tells when a text is as long as it was meant to be. */
function createGauge({ dice, words }: LongTextOptions): (parts: readonly string[]) => boolean {
  const tokens = dice.between(430, 620);
  // Half a sentence less: the last sentence overshoots by about as much.
  const enough = Math.min(words ?? 0, maxWords) - 8;
  return (parts) => {
    const text = parts.join(' ');
    return words === undefined ? countTokens(text) >= tokens : countWords(text) >= enough;
  };
}

function toParagraphs(sentences: readonly string[], dice: Dice): string {
  const paragraphs: string[] = [];
  for (let at = 0; at < sentences.length;) {
    const length = dice.between(2, 5);
    paragraphs.push(sentences.slice(at, at + length).join(' '));
    at += length;
  }
  return paragraphs.join('\n\n');
}

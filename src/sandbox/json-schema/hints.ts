import type { Dice } from '../random.ts';
import samples from './samples.json' with { type: 'json' };

/** The text that a believable instance refers to. */
export interface Hints {
  /** The text that the instance answers. */
  readonly text: string;
  readonly topics: readonly string[];
  /** Which of several proper names to use first. */
  readonly offset?: number;
}

export interface MemberName {
  readonly name: string;
  readonly parent: string;
}

/** A believable text for a member of this name. */
export function suggestText({ name, parent }: MemberName, hints: Hints, dice: Dice): string {
  const key = name.toLowerCase();
  const topic = hints.topics[0] ?? 'general';
  const entry = samples.textsByName.find(
    ({ name: pattern, parent: context = '' }) =>
      new RegExp(pattern).test(key) && new RegExp(context, 'i').test(parent),
  );
  const slots: Readonly<Record<string, string>> = {
    parent: capitalize(parent.replace(/s$/, '')),
    key: key.replaceAll(/[_-]+/g, ' '),
    place: pickName(hints) ?? dice.pick(samples.places),
    text: hints.text.trim().slice(0, 200) || topic,
    topic,
    Topic: capitalize(topic),
  };
  return dice
    .pick(entry?.texts ?? ['{topic}'])
    .replaceAll(/\{(\w+)\}/g, (_slot, word: string) => slots[word] ?? '');
}

/** The numbers that the text mentions. */
export function findNumbers({ text }: Hints): number[] {
  return [...text.matchAll(/-?\d+(?:\.\d+)?/g)].map(([digits]) => Number(digits)).filter(Number.isFinite);
}

/** Capitalized words that do not begin a sentence: `Paris`, `New York`. */
export function findNames(text: string): string[] {
  const names = [...text.matchAll(/(?<=[\p{L}\p{N},;:] )\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)*/gu)].map(
    ([name]) => name,
  );
  return [...new Set(names)];
}

function pickName({ text, offset = 0 }: Hints): string | undefined {
  const names = findNames(text);
  const lowerCase = /\b(?:in|near|from|for) (?!the\b|an?\b|my\b)(\p{L}[\p{L}'-]{2,})/u.exec(text)?.[1];
  return names[offset % names.length] ?? lowerCase;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

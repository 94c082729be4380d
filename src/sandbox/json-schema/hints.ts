import type { Dice } from '../random.ts';
import samples from './samples.json' with { type: 'json' };

/** What a believable instance may be filled with. */
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

/** A believable text for a member of this name, inside a member that is named like its parent. */
export function suggestText({ name, parent }: MemberName, hints: Hints, dice: Dice): string {
  const key = name.toLowerCase();
  const topic = hints.topics[0] ?? 'general';
  // Only people and whatever stands alone have a person's name.
  const isThing =
    parent !== '' && !/author|person|people|user|member|customer|contact|speaker|character/i.test(parent);
  if (key === 'name' && isThing)
    return `${capitalise(parent.replace(/s$/, ''))} ${dice.pick(['A', 'B', 'C', 'D', 'E'])}`;
  if (/city|location|place|town|destination|country|region|address/.test(key)) {
    return pickName(hints) ?? dice.pick(samples.places);
  }
  if (/query|question|prompt|expression|input|message|search|text$/.test(key)) {
    return hints.text.trim().slice(0, 200) || topic;
  }
  const typical = samples.textsByName.find((entry) => new RegExp(entry.name).test(key));
  if (typical) return dice.pick(typical.texts);
  if (/title|subject|topic|headline/.test(key)) return capitalise(topic);
  if (/desc|summary|content|body|note|comment|reason|explanation|detail|answer|steps?$/.test(key)) {
    return `${capitalise(topic)} in a few words: start small, measure, and improve.`;
  }
  return key === '' || key === 'value' ? topic : `${key.replaceAll(/[_-]+/g, ' ')} of ${topic}`;
}

/** The numbers that the text mentions. */
export function findNumbers({ text }: Hints): number[] {
  return [...text.matchAll(/-?\d+(?:\.\d+)?/g)].map(([digits]) => Number(digits)).filter(Number.isFinite);
}

/** Capitalised words that do not begin a sentence: `Paris`, `New York`. */
export function findNames(text: string): string[] {
  const names = [...text.matchAll(/(?<=[\p{L}\p{N},;:] )\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)*/gu)].map(
    ([name]) => name,
  );
  return [...new Set(names)];
}

function pickName(hints: Hints): string | undefined {
  const lowerCase = /\b(?:in|near|from|for) (?!the\b|an?\b|my\b)(\p{L}[\p{L}'-]{2,})/u.exec(hints.text)?.[1];
  const names = findNames(hints.text);
  if (names.length === 0 && lowerCase !== undefined) return lowerCase;
  return names[(hints.offset ?? 0) % Math.max(names.length, 1)];
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

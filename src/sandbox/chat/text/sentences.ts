import type { Dice } from '../../random.ts';

type Phrases = readonly [string, ...string[]];
export type Slots = Readonly<Record<string, string>>;

/** A sentence with its slots filled, its first letter raised. */
export function fill(template: string, slots: Slots): string {
  const text = template.replace(/\{(\w+)\}/g, (whole, slot: string) => slots[slot] ?? whole);
  return text.replace(
    /^(["“*]*)(\p{Ll})/u,
    (_whole, before: string, letter: string) => before + letter.toUpperCase(),
  );
}

/** Deals sentences without repeating one before all have been used. */
export function createDeck(phrases: Phrases, slots: Slots, dice: Dice): () => string {
  let pile: string[] = [];
  return () => {
    if (pile.length === 0) pile = dice.shuffle(phrases);
    return fill(pile.pop() ?? phrases[0], slots);
  };
}

export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

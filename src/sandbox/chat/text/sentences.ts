import type { Dice } from '../../random.ts';

export type Slots = Readonly<Record<string, string>>;

/** A template with its slots filled and its first letter in upper case. */
export function fill(template: string, slots: Slots): string {
  const text = template.replace(/\{(\w+)\}/g, (whole, slot: string) => slots[slot] ?? whole);
  return text.replace(/^["“*]*\p{Ll}/u, (start) => start.toUpperCase());
}

/** Deals sentences without repeating one before all have been used. */
export function createDeck(phrases: readonly string[], slots: Slots, dice: Dice): () => string {
  let pile: string[] = [];
  return () => {
    if (pile.length === 0) pile = dice.shuffle(phrases);
    return fill(pile.pop() ?? '', slots);
  };
}

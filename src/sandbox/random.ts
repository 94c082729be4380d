import { createHash } from 'node:crypto';

/** A repeatable source of choices. */
export interface Dice {
  /** From 0 up to but not including 1. */
  next(): number;
  /** From `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** @throws RangeError for an empty list */
  pick<Item>(items: readonly Item[]): Item;
  chance(probability: number): boolean;
  shuffle<Item>(items: readonly Item[]): Item[];
}

/** Creates dice: the same seed gives the same sequence. */
export function createDice(seed: string): Dice {
  const next = createSequence(seed);
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    pick<Item>(items: readonly Item[]) {
      if (items.length === 0) throw new RangeError('There is nothing to pick from');
      return items[Math.floor(next() * items.length)] as Item; // The index is below the length.
    },
    chance: (probability) => next() < probability,
    shuffle(items) {
      const shuffled = [...items];
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = between(0, last);
        const [a, b] = [shuffled[last], shuffled[other]];
        if (a !== undefined && b !== undefined) [shuffled[last], shuffled[other]] = [b, a];
      }
      return shuffled;
    },
  };
}

/** The generator known as sfc32, seeded from a hash. */
function createSequence(seed: string): () => number {
  const hash = createHash('sha256').update(seed).digest();
  let [a, b, c, d] = [hash.readInt32LE(0), hash.readInt32LE(4), hash.readInt32LE(8), hash.readInt32LE(12)];
  return () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
}

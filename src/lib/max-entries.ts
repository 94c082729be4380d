/** Options of an LRU cache for many entries. With its option `max`, the cache allocates all of them in advance. */
interface MaxEntries {
  readonly maxSize: number;
  readonly sizeCalculation: () => number;
}

export function maxEntries(count: number): MaxEntries {
  return { maxSize: count, sizeCalculation: () => 1 };
}

interface CacheLimits<Value> {
  readonly maxSize: number;
  readonly sizeCalculation: (value: Value, key: string) => number;
}

/**
 * Limits an `LRUCache` to this many entries, and to a total size if one is given. An entry then counts as at least its share of
 * the total. The cache's own `max` allocates memory for all entries when the cache is created.
 */
export function limitEntries<Value>(
  maxEntries: number,
  maxSize = maxEntries,
  sizeOf: (value: Value, key: string) => number = () => 1,
): CacheLimits<Value> {
  const share = Math.floor(maxSize / maxEntries);
  return { maxSize, sizeCalculation: (value, key) => Math.max(share, sizeOf(value, key)) };
}

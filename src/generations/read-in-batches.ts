import { largeChars } from '../lib/json-size.ts';
import { largeWork } from '../lib/fairness/large-work.ts';

export interface BatchRead<Key, Value> {
  readonly sizeOf: (key: Key, index: number) => number;
  readonly read: (keys: readonly Key[]) => Promise<readonly Value[]>;
}

/** Reads in batches of limited size, so that other clients are served in between. */
export async function readInBatches<Key, Value>(
  keys: readonly Key[],
  { sizeOf, read }: BatchRead<Key, Value>,
): Promise<readonly Value[]> {
  const batches: Key[][] = [];
  let bytes = 0;
  for (const [index, key] of keys.entries()) {
    const size = sizeOf(key, index);
    if (batches.length === 0 || bytes + size > largeChars) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(key);
    bytes += size;
  }
  // The last of several batches, or the only one, may be large.
  const isLarge = batches.length > 1 || bytes > largeChars;
  if (isLarge) await largeWork.begin();
  const values: Value[] = [];
  for (const [index, batch] of batches.entries()) {
    if (index > 0) await largeWork.nextPiece();
    values.push(...(await read(batch)));
  }
  return values;
}

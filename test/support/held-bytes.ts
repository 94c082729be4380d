import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Memory in use by this process after garbage collection, which runs until it frees nothing more. */
export async function heldBytes(): Promise<number> {
  let held = Infinity;
  for (let pass = 0; pass < 4; pass += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
    const before = held;
    held = usedBytes();
    if (before - held < toleratedBytes) break;
  }
  return held;
}

/** Freed by a collection that finds little more than those before. */
const toleratedBytes = 50_000;

function usedBytes(): number {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  // Bytes in a pending socket write are counted only in `arrayBuffers`.
  return heapUsed + Math.max(external, arrayBuffers);
}

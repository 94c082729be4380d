import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Memory in use by this process after garbage collection. */
export async function heldBytes(): Promise<number> {
  for (let pass = 0; pass < 4; pass += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  // Bytes in a pending socket write are counted only in `arrayBuffers`.
  return heapUsed + Math.max(external, arrayBuffers);
}

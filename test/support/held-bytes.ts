import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What this process holds once nothing more can be let go of. */
export async function heldBytes(): Promise<number> {
  for (let turn = 0; turn < 4; turn += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  // What waits in a socket's own write is counted among array buffers alone.
  return heapUsed + Math.max(external, arrayBuffers);
}

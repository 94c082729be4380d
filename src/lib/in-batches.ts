import { setImmediate } from 'node:timers/promises';

export interface BatchesOptions {
  readonly size: number;
  /** Asked before each batch. @default never */
  readonly isStopped?: () => boolean;
}

/**
 * Works off one batch after another, until one is not full. Each must leave less to do. Other work of the process runs between
 * them. Returns the total of their counts.
 */
export async function inBatches(
  { size, isStopped = () => false }: BatchesOptions,
  work: (limit: number) => Promise<number>,
): Promise<number> {
  let total = 0;
  while (!isStopped()) {
    const count = await work(size);
    total += count;
    if (count < size) break;
    await setImmediate();
  }
  return total;
}

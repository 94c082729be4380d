import { LRUCache } from 'lru-cache';
import { limitEntries } from '../lib/cache-limits.ts';
import type { Clock } from '../lib/clock.ts';

export interface ReadBudgetOptions {
  readonly clock: Clock;
  /** Reads per second of one owner. */
  readonly perOwner: number;
  /** Reads per second of the process. */
  readonly inTotal: number;
}

/** An owner without a read for a while is forgotten first. */
const maxOwners = 10_000;

/**
 * Limits the rate of reads of unwatched tasks, so that a backlog cannot flood the gateway. Each read reserves the next free slot
 * of its owner and of the process.
 */
export function createReadBudget({ clock, perOwner, inTotal }: ReadBudgetOptions) {
  const nextOfOwner = new LRUCache<string, number>(limitEntries(maxOwners));
  let nextInTotal = 0;
  return {
    /** Reserves one read. Returns how many milliseconds to wait before it. */
    reserve(owner: string): number {
      const now = clock.elapsed();
      const slot = Math.max(now, nextInTotal);
      const at = Math.max(slot, nextOfOwner.get(owner) ?? 0);
      // A read that waits for its owner takes no later slot of the process: it must not delay other owners.
      nextInTotal = slot + 1000 / inTotal;
      nextOfOwner.set(owner, at + 1000 / perOwner);
      return at - now;
    },
  };
}

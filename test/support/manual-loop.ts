import type { EventLoop } from '../../src/lib/fairness/slice.ts';

/** An event loop that advances only when the test advances it. */
export interface ManualLoop extends EventLoop {
  /** Lets time pass within an iteration. */
  work(milliseconds: number): void;
  /** Runs the next iteration. */
  iterate(): void;
}

export function createManualLoop(): ManualLoop {
  let now = 0;
  let next: (() => void)[] = [];
  const reactions: (() => void)[] = [];
  return {
    now: () => now,
    nextIteration: (callback) => void next.push(callback),
    afterReactions: (callback) => void reactions.push(callback),
    work: (milliseconds) => (now += milliseconds),
    iterate() {
      const callbacks = next;
      next = [];
      for (const callback of callbacks) {
        callback();
        for (let reaction = reactions.shift(); reaction; reaction = reactions.shift()) reaction();
      }
    },
  };
}

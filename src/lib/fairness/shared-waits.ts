import type { Group, PathStep } from './fair-queue.ts';
import { createSlice, type EventLoop, systemEventLoop } from './slice.ts';
import { Turns } from './turns.ts';

/** Runs what others may wait for at the same time. They continue in turns, although it ends for all at once. */
export type SharedWait = <Result>(run: () => Promise<Result>) => Promise<Result>;

export interface SharedWaitsOptions {
  /** Time for those that continue in an iteration of the event loop. */
  readonly lengthMs: number;
  readonly loop?: EventLoop | undefined;
  /** The error of a wait for which a group has no room. @default any number waits */
  readonly refuse?: (full: Group<unknown>) => Error;
}

interface Ended {
  readonly group: Group<Ended>;
  readonly goOn: () => void;
}

/** The waits of groups, the outermost first. Each counts as waiting until it goes on. */
export function createSharedWaits({
  lengthMs,
  loop = systemEventLoop,
  refuse,
}: SharedWaitsOptions): (path: readonly PathStep[]) => SharedWait {
  const turns = new Turns<Ended>({
    createPace: (onNext) => createSlice({ lengthMs, loop, onNext }),
    start({ group, goOn }) {
      turns.queue.prune(group);
      goOn();
      loop.afterReactions(() => turns.end());
    },
  });
  const { queue } = turns;
  return (path) => async (run) => {
    const group = queue.locate(path);
    const full = queue.findFull(group, 'waiting');
    if (refuse && full) {
      queue.prune(group);
      throw refuse(full);
    }
    queue.change(group, 'waiting', 1);
    try {
      return await run();
    } finally {
      const { promise, resolve } = Promise.withResolvers<void>();
      queue.push(group, { group, goOn: resolve });
      queue.change(group, 'waiting', -1);
      turns.startNext();
      await promise;
    }
  };
}

import type { Clock } from '../clock.ts';
import type { Group, PathStep } from './fair-queue.ts';
import { createSlice, type EventLoop, sliceMs, systemEventLoop } from './slice.ts';
import { Turns, type TurnsOptions } from './turns.ts';

/**
 * Runs the work of a key, at once if none waits and there is time. Otherwise it waits: groups take turns, and the work of one
 * group keeps its order.
 */
export type RunFairly = <Result>(key: string, work: () => Result | Promise<Result>) => Promise<Result>;

export interface FairWorkOptions {
  /** The groups of a key, the outermost first. */
  readonly pathOf: (key: string) => readonly PathStep[];
  /** The error of work for which a group has no room. */
  readonly refuse?: () => Error;
}

interface Waiting {
  readonly group: Group<Waiting>;
  readonly start: () => void;
}

/** `wait` resolves when it is the turn of the work. Undefined if that is now. */
function createWaitingTurns(
  { pathOf, refuse }: FairWorkOptions,
  createPace: TurnsOptions<Waiting>['createPace'],
) {
  const turns = new Turns<Waiting>({
    createPace,
    start({ group, start }) {
      turns.queue.prune(group);
      start();
    },
  });
  const wait = (key: string): Promise<void> | undefined => {
    if (turns.tryTake()) return undefined;
    const group = turns.queue.locate(pathOf(key));
    if (refuse && !turns.queue.hasRoom(group, 'waiting')) {
      turns.queue.prune(group);
      throw refuse();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    turns.queue.push(group, { group, start: resolve });
    return promise;
  };
  return { wait, end: () => turns.end(), mayStart: () => turns.mayStart() };
}

export interface SlicedWorkOptions extends FairWorkOptions {
  readonly loop?: EventLoop | undefined;
}

/** Turns of short steps of work, of many keys. */
export interface SlicedTurns {
  /** Whether a step may run in this call, now. */
  mayRun(): boolean;
  /**
   * Resolves when it is the turn of a step. Undefined if that is now. The turn lasts until the promise reactions that follow
   * have run.
   */
  wait(key: string): Promise<void> | undefined;
}

/** Starts steps during one slice in each iteration of the event loop. */
export function createSlicedTurns({
  loop = systemEventLoop,
  lengthMs,
  ...options
}: SlicedWorkOptions & { readonly lengthMs: number }): SlicedTurns {
  const { wait, end, mayStart } = createWaitingTurns(options, (onNext) =>
    createSlice({ lengthMs, loop, onNext }),
  );
  return {
    mayRun: mayStart,
    wait(key) {
      const turn = wait(key);
      if (turn) return turn.then(() => loop.afterReactions(end));
      loop.afterReactions(end);
      return undefined;
    },
  };
}

/** Runs one read after another, during one slice in each iteration of the event loop. */
export function createSlicedReads({ loop, ...options }: SlicedWorkOptions): RunFairly {
  const { wait, end } = createWaitingTurns(options, (onNext) =>
    createSlice({ lengthMs: sliceMs.reads, loop, onNext }),
  );
  return async (key, work) => {
    const turn = wait(key);
    if (turn) await turn;
    try {
      return await work();
    } finally {
      end();
    }
  };
}

export interface PacedWorkOptions extends FairWorkOptions {
  /** Largest share of the event loop, between 0 and 1. */
  readonly share: number;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
}

/** Longer idle times come from pauses of the process, which the clock may count until it notices them. */
const maxIdleMs = 5000;

/** Runs work with idle time in between, so that it uses at most a share of the event loop. Only its synchronous part counts. */
export function createPacedWork({ share, clock, ...options }: PacedWorkOptions): RunFairly {
  let idleUntil = -Infinity;
  let isTimed = false;
  const { wait, end } = createWaitingTurns(options, (startNext) => () => {
    const idleMs = Math.min(idleUntil - clock.elapsed(), maxIdleMs);
    if (idleMs <= 0) return true;
    const endIdle = (): void => {
      isTimed = false;
      idleUntil = -Infinity;
      startNext();
    };
    if (!isTimed) clock.after(idleMs, endIdle);
    isTimed = true;
    return false;
  });
  return async (key, work) => {
    const turn = wait(key);
    if (turn) await turn;
    const startedAt = clock.elapsed();
    try {
      return work();
    } finally {
      idleUntil = startedAt + Math.min((clock.elapsed() - startedAt) / share, maxIdleMs);
      end();
    }
  };
}

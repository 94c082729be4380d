/** The parts of the event loop that turns need. Tests replace it. */
export interface EventLoop {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Calls back in the next iteration of the event loop, after pending I/O. */
  nextIteration(callback: () => void): void;
  /** Calls back when the pending promise reactions have run. */
  afterReactions(callback: () => void): void;
}

export const systemEventLoop: EventLoop = {
  now: () => performance.now(),
  nextIteration: (callback) => void setImmediate(callback),
  // A tick scheduled from a tick runs before the promise reactions.
  afterReactions: (callback) => queueMicrotask(() => process.nextTick(callback)),
};

/** Limits how long operations start in one iteration of the event loop, so that I/O of other clients runs in between. */
export interface Turns {
  /** Whether an operation may start in this iteration. */
  hasTime(): boolean;
  /** Starts waiting operations in the following iterations. */
  schedule(): void;
}

export interface TurnsOptions {
  /** Starts the next waiting operation. Returns false if none may run. */
  readonly startNext: () => boolean;
  readonly loop?: EventLoop | undefined;
}

/** Time for operations to start in one iteration. */
export const sliceMs = 2;

export function createTurns({ startNext, loop = systemEventLoop }: TurnsOptions): Turns {
  let sliceStartedAt: number | undefined;
  let isScheduled = false;
  let isStepping = false;

  const hasTime = (): boolean => {
    const now = loop.now();
    if (sliceStartedAt === undefined) {
      sliceStartedAt = now;
      loop.nextIteration(startSlice);
    }
    return now - sliceStartedAt < sliceMs;
  };
  const startSlice = (): void => {
    sliceStartedAt = undefined;
    if (isScheduled && !isStepping) step();
  };
  const step = (): void => {
    isStepping = false;
    if (!isScheduled || !hasTime()) return;
    isScheduled = startNext();
    if (!isScheduled) return;
    // Wait for the part of the operation that runs without I/O, to measure it.
    isStepping = true;
    loop.afterReactions(step);
  };
  return {
    hasTime,
    schedule() {
      isScheduled = true;
      hasTime();
    },
  };
}

/** The parts of the event loop that fair work needs. Tests replace it. */
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

/** Milliseconds for one kind of work in an iteration of the event loop, so that I/O of other clients runs in between. */
export const sliceMs = {
  /** For operations to start. */
  operations: 2,
  /** For reads of SQLite, with the work that follows from them. */
  reads: 5,
  /** For events of subscriptions. */
  events: 5,
} as const;

export interface SliceOptions {
  readonly lengthMs: number;
  readonly loop?: EventLoop | undefined;
  /** Called at the beginning of an iteration that follows one with work. */
  readonly onNext: () => void;
}

/** Returns whether work may start in this iteration: each iteration has one slice of time for it. */
export function createSlice({ lengthMs, loop = systemEventLoop, onNext }: SliceOptions): () => boolean {
  let startedAt: number | undefined;
  const end = (): void => {
    startedAt = undefined;
    onNext();
  };
  return () => {
    const now = loop.now();
    if (startedAt === undefined) {
      startedAt = now;
      loop.nextIteration(end);
    }
    return now - startedAt < lengthMs;
  };
}

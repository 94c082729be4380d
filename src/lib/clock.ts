/** Source of time and timers. Tests replace it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds on a monotonic clock, for durations and deadlines. Setting the system clock does not change it. It stands
   * still while the process is paused.
   */
  elapsed(): number;
  /** Calls back once after the delay, measured by `elapsed`. Returns the cancel function. The timer does not keep the process alive. */
  after(delayMs: number, callback: () => void): () => void;
}

/** A timer that fires this late was delayed by a pause of the process, or by a blocked event loop. */
const pauseMs = 1000;
/** Limit for the extensions of one timer, so that it fires even if every iteration of the event loop is slow. */
const maxExtensions = 3;
/** Node fires a longer timer at once. A gateway may ask to wait longer. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * The system's clock. Node runs timers before it reads from sockets, so after a pause (SIGSTOP, a suspended container) every
 * deadline would have passed before the data that arrived meanwhile is read. This clock does not count a pause: a timer fires
 * after the time that remained when the pause began, and the timers that were due wait until the sockets have been read.
 */
export function createSystemClock(): Clock {
  let pausedMs = 0;
  /** Until this time of `performance.now`, pauses are counted in `pausedMs`. */
  let countedUntil = 0;
  const elapsed = (): number => performance.now() - pausedMs;

  return {
    now: () => Date.now(),
    elapsed,
    after(delayMs, callback) {
      const dueAt = elapsed() + delayMs;
      let extensions = 0;
      let timer: NodeJS.Timeout;
      const start = (waitMs: number): void => {
        const timerMs = Math.min(waitMs, longestTimerMs);
        const expectedAt = performance.now() + timerMs;
        timer = setTimeout(() => fire(expectedAt), timerMs);
        timer.unref();
      };
      const fire = (expectedAt: number): void => {
        const now = performance.now();
        const isLate = now - expectedAt >= pauseMs;
        if (isLate) {
          pausedMs += now - Math.max(expectedAt, countedUntil);
          countedUntil = now;
        }
        const remainingMs = Math.max(dueAt - elapsed(), isLate ? Math.min(delayMs, pauseMs) : 0);
        // Node rounds delays to whole milliseconds.
        if (remainingMs < 1 || extensions >= maxExtensions) return callback();
        if (remainingMs <= longestTimerMs) extensions += 1;
        start(remainingMs);
      };
      start(delayMs);
      return () => clearTimeout(timer);
    },
  };
}

/** Source of time and timers. Tests replace it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds on a monotonic clock, for durations and deadlines: setting the system clock does not change it. */
  elapsed(): number;
  /** Calls back once after the delay. Returns the cancel function. The timer does not keep the process alive. */
  after(delayMs: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

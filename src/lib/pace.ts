import type { Clock } from './clock.ts';

/** Enforces a minimum time between the events of one reader. */
export interface Pace {
  /** Whether the next event must wait. If so, `wake` is called once, when it may be sent. */
  mustWait(wake: () => void): boolean;
  /** Call when an event is sent. The minimum time starts now. */
  sent(): void;
  /** Cancels the pending `wake`. */
  close(): void;
}

export interface PaceOptions {
  readonly clock: Clock;
  readonly minIntervalMs: number;
}

export function createPace({ clock, minIntervalMs }: PaceOptions): Pace {
  let sentAt: number | undefined;
  let cancelWake: (() => void) | undefined;
  const close = (): void => {
    cancelWake?.();
    cancelWake = undefined;
  };
  return {
    mustWait(wake) {
      if (cancelWake) return true;
      if (sentAt === undefined) return false;
      const waitMs = sentAt + minIntervalMs - clock.elapsed();
      if (waitMs <= 0) return false;
      cancelWake = clock.after(waitMs, () => {
        cancelWake = undefined;
        wake();
      });
      return true;
    },
    sent() {
      close();
      sentAt = clock.elapsed();
    },
    close,
  };
}

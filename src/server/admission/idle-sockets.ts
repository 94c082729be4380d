import type { Clock } from '../../lib/clock.ts';

/** Time that a socket without a credential may stay without an operation. */
export const anonymousIdleMs = 10_000;
/** The same with a credential that the gateway has not accepted. */
export const unacceptedIdleMs = 120_000;

export type Standing = 'anonymous' | 'unaccepted' | 'accepted';

export interface IdleSocketOptions {
  readonly clock: Clock;
  readonly standing: () => Standing;
  readonly onIdle: (standing: Exclude<Standing, 'accepted'>) => void;
}

/** Detects a WebSocket that costs memory without a known caller and without an operation. */
export interface IdleSocket {
  begin(): void;
  end(): void;
  close(): void;
}

export function watchIdleSocket({ clock, standing, onIdle }: IdleSocketOptions): IdleSocket {
  let operations = 0;
  let cancel = (): void => {};
  const schedule = (): void => {
    const idleSince = clock.now();
    const check = (): void => {
      const current = standing();
      // A later operation schedules the next check.
      if (current === 'accepted') return;
      const limitMs = current === 'anonymous' ? anonymousIdleMs : unacceptedIdleMs;
      const remainingMs = idleSince + limitMs - clock.now();
      if (remainingMs > 0) cancel = clock.after(remainingMs, check);
      else onIdle(current);
    };
    cancel = clock.after(anonymousIdleMs, check);
  };
  schedule();
  return {
    begin() {
      operations += 1;
      cancel();
    },
    end() {
      operations -= 1;
      if (operations === 0) schedule();
    },
    close() {
      cancel();
      operations = Infinity;
    },
  };
}

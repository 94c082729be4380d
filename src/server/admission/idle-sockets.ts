import type { Clock } from '../../lib/clock.ts';

/** Time that a socket without a credential may stay without an operation. */
export const anonymousIdleMs = 10_000;
/** The same with a credential that the gateway has not accepted. */
export const unacceptedIdleMs = 120_000;

export type Acceptance = 'anonymous' | 'unaccepted' | 'accepted';

export interface IdleSocketOptions {
  readonly clock: Clock;
  readonly acceptance: () => Acceptance;
  readonly onIdle: (acceptance: Exclude<Acceptance, 'accepted'>) => void;
}

/** Detects a WebSocket that costs memory without a known caller and without an operation. */
export class IdleSocket {
  readonly #options: IdleSocketOptions;
  #operations = 0;
  /** Absent while no check is scheduled, so that a socket with operations holds no timer. */
  #cancel: (() => void) | undefined;

  constructor(options: IdleSocketOptions) {
    this.#options = options;
    this.#schedule();
  }

  begin(): void {
    this.#operations += 1;
    this.#stop();
  }

  end(): void {
    this.#operations -= 1;
    if (this.#operations === 0) this.#schedule();
  }

  close(): void {
    this.#stop();
    this.#operations = Infinity;
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #schedule(): void {
    const { clock, acceptance, onIdle } = this.#options;
    const idleSince = clock.elapsed();
    const check = (): void => {
      this.#cancel = undefined;
      const current = acceptance();
      // A later operation schedules the next check.
      if (current === 'accepted') return;
      const limitMs = current === 'anonymous' ? anonymousIdleMs : unacceptedIdleMs;
      const remainingMs = idleSince + limitMs - clock.elapsed();
      if (remainingMs > 0) this.#cancel = clock.after(remainingMs, check);
      else onIdle(current);
    };
    this.#cancel = clock.after(anonymousIdleMs, check);
  }
}

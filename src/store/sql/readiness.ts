import type { SqlStoreOptions } from './sql-store.ts';

/** Whoever asks more often than this gets the last answer: probes of many balancers are no load. */
const answerMs = 3000;

export interface Readiness {
  isReady(): Promise<boolean>;
  close(): void;
}

/** Whether records can be kept, found out by a write that is due anyway: a full disk can still be read. */
export function createReadiness(
  { clock }: Pick<SqlStoreOptions, 'clock'>,
  renewLease: () => Promise<void>,
): Readiness {
  let last: { readonly at: number; readonly isReady: Promise<boolean> } | undefined;
  let isClosed = false;
  return {
    async isReady() {
      if (isClosed) return false;
      const now = clock.now();
      // Also where the system's clock was put back.
      if (!last || Math.abs(now - last.at) >= answerMs) {
        const isReady = renewLease().then(
          () => true,
          () => false,
        );
        last = { at: now, isReady };
      }
      return last.isReady;
    },
    close() {
      isClosed = true;
    },
  };
}

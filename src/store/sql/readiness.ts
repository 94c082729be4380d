import type { SqlStoreOptions } from './sql-store.ts';

/** Cache time of an answer, so that frequent readiness probes cost nothing. */
const cacheMs = 3000;

export interface Readiness {
  isReady(): Promise<boolean>;
  close(): void;
}

/** Checks that records can be written by renewing the lease. A read would succeed on a full disk. */
export function createReadiness(
  { clock }: Pick<SqlStoreOptions, 'clock'>,
  renewLease: () => Promise<void>,
): Readiness {
  let last: { readonly at: number; readonly isReady: Promise<boolean> } | undefined;
  let isClosed = false;
  return {
    async isReady() {
      if (isClosed) return false;
      const now = clock.elapsed();
      if (!last || now - last.at >= cacheMs) {
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

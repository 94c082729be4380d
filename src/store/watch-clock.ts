import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { clockToleranceMs } from '../lib/time.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { aheadMs } from './sharing.ts';
import type { Store } from './store.ts';

export interface WatchClockOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
}

/** Wraps a store: measures how far the own clock is from the shared one, and logs when they begin and cease to differ. */
export function watchClock(store: Store, { clock, log, metrics }: WatchClockOptions): Store {
  const { sharing } = store;
  metrics?.observe('gengraph.clock.offset', () => aheadMs(store, clock) / 1000);
  if (!sharing) return store;
  let isOff = false;
  const check = (): void => {
    const offsetMs = aheadMs(store, clock);
    // An offset that stays about the tolerance has one line.
    const wasOff = isOff;
    isOff = Math.abs(offsetMs) > (wasOff ? clockToleranceMs / 2 : clockToleranceMs);
    if (isOff && !wasOff)
      log.warn({ offsetMs }, 'the clock of this server differs from that of the database');
    if (wasOff && !isOff) log.info({ offsetMs }, 'the clock of this server agrees with that of the database');
  };
  check();
  return {
    ...store,
    sharing: {
      ...sharing,
      async renewLease() {
        await sharing.renewLease();
        check();
      },
    },
  };
}

import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { clockToleranceMs } from '../lib/time.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { PollRecords } from './poll-records.ts';

export interface LeaseIntervals {
  readonly renewMs: number;
  /** After a renewal that failed. */
  readonly retryMs: number;
  /** Short, because a duplicate of a create that a dead instance was sending waits for the recovery. */
  readonly recoverMs: number;
}

/** How instances on the same records learn which of them are alive, and what the others poll. */
export interface Sharing {
  /** How often this instance renews its lease and looks for dead instances. */
  readonly leaseIntervals: LeaseIntervals;
  /** The time of a clock that all instances share, in milliseconds: their own clocks may differ. */
  now(): number;
  /** Renews the lease of this instance. Call it well within the lease time. */
  renewLease(): Promise<void>;
  /** Whether the records see the lock of this instance, which its connection to the others holds. */
  holdsLock(): Promise<boolean>;
  /** Whether another instance may be alive: it is not known to be dead. */
  isAlive(instanceId: string): Promise<boolean>;
  readonly polls: PollRecords;
}

interface Shared {
  /** Absent without other instances: then the own clock decides. */
  readonly sharing?: Pick<Sharing, 'now'> | undefined;
}

/**
 * The time to write and to compare where instances decide together, such as when a counted refusal came. (What clients see, such
 * as when a task was created, is recorded by the clock of one instance.)
 */
export function sharedTime({ sharing }: Shared, clock: Pick<Clock, 'now'>): number {
  return sharing ? sharing.now() : clock.now();
}

/** By how much the own clock is ahead of the shared one. Negative if it is behind. */
export function aheadMs(shared: Shared, clock: Pick<Clock, 'now'>): number {
  return clock.now() - sharedTime(shared, clock);
}

/** The time to compare with when a task was created, by the clock of any instance: no clock that is ahead makes it too old. */
export function earliestTime(shared: Shared, clock: Pick<Clock, 'now'>): number {
  return Math.min(clock.now(), sharedTime(shared, clock));
}

interface Sharable {
  readonly sharing?: Sharing | undefined;
}

export interface WatchClockOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
}

/** Wraps a store: measures how far the own clock is from the shared one, and logs when they begin and cease to differ. */
export function watchClock<Records extends Sharable>(
  store: Records,
  { clock, log, metrics }: WatchClockOptions,
): Records {
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

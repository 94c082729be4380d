import type { GenerationFailure } from './records.ts';

/** Tasks of one owner that are read together. */
export interface PollTarget {
  readonly owner: string;
  /** Name of the round, unique per owner: a batch of kinds, or the id of a task that is read alone. */
  readonly round: string;
}

/** A request of this instance to the holder of the lease: poll this task. */
interface PollRequest {
  readonly id: string;
  /** Whether clients of this instance watch the task. Expires after `watchRequestMs`. */
  readonly isWatched: boolean;
  /** Polled without a watcher until this time. */
  readonly followedUntil?: number | undefined;
}

/** How long a request for a watched task is valid. The instance repeats it while the task is watched. */
export const watchRequestMs = 30_000;

/** What all instances know about a polled task. */
export interface PolledTask {
  readonly id: string;
  /** Whether an instance other than the holder of the lease wants it to be polled for its watchers. */
  readonly isWatched: boolean;
  readonly followedUntil?: number | undefined;
  /** Whether the last reading is younger than the poll interval. */
  readonly isFresh: boolean;
  /** The instance that read it last. */
  readonly readBy?: string | undefined;
  readonly lastReadAt?: number | undefined;
  /** The failure of the last read. */
  readonly readFailure?: GenerationFailure | undefined;
}

/** A reading of a polled task. Its state is in the record of the task. */
export interface PollReading {
  readonly id: string;
  readonly lastReadAt?: number | undefined;
  readonly readFailure?: GenerationFailure | undefined;
  /** How long other instances may use the record instead of a read. */
  readonly freshMs: number;
  /** The task is no longer polled: deletes what is known about it. */
  readonly isOver?: boolean;
}

interface PollClaim {
  /** The instance that polls the round: this one, or another live one. */
  readonly holder: string;
  readonly tasks: readonly PolledTask[];
}

/**
 * Coordinates polling between instances: of those that want to poll a round, the holder of its lease does. A lease is
 * valid while its holder renews its lease of the records, so it needs no renewal of its own. An instance that is alone needs no leases: every method then
 * reads or writes nothing.
 */
export interface PollRecords {
  /**
   * The other instances that live and renew their lease of the records: a frozen one is alive, but polls nothing. The answer may
   * be a second old.
   */
  findResponsive(): Promise<readonly string[]>;
  /**
   * Finds the holder of a round. Takes the lease if nobody holds it, or if its holder is dead, frozen for longer than its
   * lease of the records, or `takeFrom`. Undefined if this instance is alone.
   */
  claim(target: PollTarget, takeFrom?: string): Promise<PollClaim | undefined>;
  /** Like `claim`, but takes no lease. Undefined also if nobody holds it. */
  find(target: PollTarget): Promise<PollClaim | undefined>;
  /** Ends the lease of this instance. */
  release(target: PollTarget): Promise<void>;
  saveRequests(target: PollTarget, requests: readonly PollRequest[]): Promise<void>;
  /** Nobody polls these tasks without a watcher any more. */
  endFollowing(owner: string, ids: readonly string[]): Promise<void>;
  saveReadings(target: PollTarget, readings: readonly PollReading[]): Promise<void>;
  /** Tasks that a live instance polls. */
  findPolled(owner: string, ids: readonly string[]): Promise<readonly (PolledTask | undefined)[]>;
  /** The owners of rounds whose leases these instances hold. */
  findOwners(holders: readonly string[]): Promise<readonly string[]>;
}

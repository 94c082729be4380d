import type { Bus } from '../bus/bus.ts';
import { taskTopic } from '../generations/publish-changes.ts';
import type { Clock } from '../lib/clock.ts';
import type { PolledTask, PollReading, PollRecords } from '../store/poll-records.ts';
import { isTerminal, type Task } from '../store/records.ts';
import { sharedTime } from '../store/sharing.ts';
import type { Store } from '../store/store.ts';
import {
  callerOf,
  fromRoundKey,
  isWatched as isWatchedAnywhere,
  maxFollowed,
  type PollEntry,
  type PollRound,
  type PollRounds,
} from './poll-rounds.ts';
import type { TaskOutcome } from './task-outcome.ts';

export interface PollLeasesOptions {
  readonly store: Pick<Store, 'instanceId' | 'findTasks' | 'sharing'>;
  readonly polls: PollRecords;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly rounds: PollRounds;
  readonly isPolled: (task: Task) => boolean;
  /** The first interval between two reads. */
  readonly minIntervalMs: number;
  /** Runs a round as soon as possible. */
  readonly wake: (round: PollRound) => void;
  readonly onFailed: (error: unknown, what: string) => void;
}

/** How this instance reads a round: from the gateway, or what the holder of the lease has recorded. */
interface RoundRole {
  readonly isReader: boolean;
  /** What all instances know. Undefined if this instance is alone. */
  readonly tasks: readonly PolledTask[] | undefined;
}

/**
 * Shares polls between instances. One holds the lease of a round and polls it, also for the watchers of the others. The
 * others read the records: at their own intervals, and as soon as the bus reports a change.
 */
export interface PollLeases {
  /** Decides before each reading how this instance reads the round. Without a credential, it takes no lease. */
  claim(round: PollRound): Promise<RoundRole>;
  /** Whether this instance reads the round from the gateway, as far as it knows. */
  isReader(round: PollRound): boolean;
  /** Adds what other instances want to be polled to a round that this instance reads. */
  adopt(round: PollRound, tasks: readonly PolledTask[]): Promise<void>;
  /** When to read the records of a round again at the latest, if clients of this instance watch it. On the monotonic clock. */
  nextCheckAt(round: PollRound): number;
  /** The recorded states of the entries. Undefined for those without a record. */
  readRecords(
    round: PollRound,
    entries: readonly PollEntry[],
    tasks: readonly PolledTask[],
  ): Promise<readonly TaskOutcome[]>;
  /** Reports readings from the gateway to the other instances. */
  report(round: PollRound, entries: readonly PollEntry[], outcomes: readonly TaskOutcome[]): Promise<void>;
  /** The gateway refuses the credential: no instance polls the task without a watcher any more. */
  endFollowing(entry: PollEntry): void;
  /** Ends the lease of a round without entries. */
  release(round: PollRound): void;
  close(): void;
}

/** The longest interval between two checks of the records of watched tasks. Shorter than `watchRequestMs`. */
const maxRecordAgeMs = 15_000;
/** The shortest interval between two checks of a stalled round. */
const minRecordAgeMs = 1000;
/** A watch is reported again after this time, well before it expires. */
const repeatRequestMs = 10_000;
/** An instance takes the lease from a holder that renews its lease of the records but has not read a watched task for this long
 * after it was due. */
const stalledMs = 20_000;
/** How long a read may take before the record counts as old. */
const readingMs = 2000;

export function createPollLeases(options: PollLeasesOptions): PollLeases {
  const { store, polls, bus, clock, rounds, isPolled, minIntervalMs, wake, onFailed } = options;
  const { instanceId } = store;
  let stopListening: (() => void) | undefined;

  const release = (round: PollRound): void => {
    round.unsubscribe?.();
    round.unsubscribe = undefined;
    if (round.holder === instanceId)
      polls.release(round).catch((error: unknown) => onFailed(error, 'the end of a lease'));
    round.holder = undefined;
  };

  /** Instances with watchers ask the holder of a lease to read sooner. */
  const listen = (): void => {
    stopListening ??= bus.subscribe(holderTopic(instanceId), (key) => {
      const round = rounds.get(key);
      if (round) wake(round);
      else polls.release(fromRoundKey(key)).catch((error: unknown) => onFailed(error, 'the end of a lease'));
    });
  };

  /** Announces the tasks that this instance needs polled, unless already announced. */
  const saveRequests = async (round: PollRound): Promise<void> => {
    const now = clock.elapsed();
    const isReader = round.holder === instanceId;
    const requests = [...round.entries.values()].filter(({ wakes, followedUntil, shared }) => {
      const isNew = shared.watchedAt === undefined || now - shared.watchedAt >= repeatRequestMs;
      return (
        (followedUntil !== undefined && followedUntil !== shared.followedUntil) ||
        (!isReader && wakes.size > 0 && isNew)
      );
    });
    if (requests.length === 0) return;
    await polls.saveRequests(
      round,
      requests.map(({ task, wakes, followedUntil }) => ({
        id: task.id,
        isWatched: !isReader && wakes.size > 0,
        followedUntil: followedUntil && Math.round(sharedTime(store, clock) + followedUntil - now),
      })),
    );
    for (const { shared, wakes, followedUntil } of requests) {
      shared.followedUntil = followedUntil;
      if (!isReader && wakes.size > 0) shared.watchedAt = now;
    }
  };

  /** Subscribes to changes of tasks that are watched here and polled by another instance. */
  const subscribe = (round: PollRound): void => {
    const isWatched = [...round.entries.values()].some(({ wakes }) => wakes.size > 0);
    if (round.holder !== instanceId && isWatched)
      round.unsubscribe ??= bus.subscribe(taskTopic(round.owner), (id) => {
        const entry = round.entries.get(id);
        if (!entry) return;
        // The holder may have ended its lease with the task.
        entry.dueAt = clock.elapsed();
        wake(round);
      });
    else {
      round.unsubscribe?.();
      round.unsubscribe = undefined;
    }
  };

  /** Asks the holder to read a task that is watched here and not read often enough. */
  const requestReads = (round: PollRound, tasks: readonly PolledTask[]): void => {
    const fresh = new Set(tasks.filter(({ isFresh }) => isFresh).map(({ id }) => id));
    const isStale = [...round.entries.values()].some(
      ({ wakes, task }) => wakes.size > 0 && !fresh.has(task.id),
    );
    round.staleSince = isStale ? (round.staleSince ?? clock.elapsed()) : undefined;
    if (isStale && round.holder !== undefined) bus.publish(holderTopic(round.holder), round.key);
  };

  /** The earlier holder may have stopped long ago. Unwatched tasks keep their intervals: there can be many. */
  const readWatchedNow = (round: PollRound): void => {
    const now = clock.elapsed();
    for (const entry of round.entries.values())
      if (entry.wakes.size > 0) entry.dueAt = Math.min(entry.dueAt, now);
  };

  return {
    async claim(round) {
      const isStalled = round.staleSince !== undefined && clock.elapsed() - round.staleSince >= stalledMs;
      const canRead = callerOf(round)?.credential !== '';
      // Others may have a credential.
      if (!canRead && round.holder === instanceId) await polls.release(round);
      const takeFrom = isStalled ? round.holder : undefined;
      const claim = await (canRead ? polls.claim(round, takeFrom) : polls.find(round));
      if (claim?.holder === instanceId && round.holder !== undefined && round.holder !== instanceId)
        readWatchedNow(round);
      // A new holder has the full time to read.
      if (claim?.holder !== round.holder) round.staleSince = undefined;
      round.holder = claim?.holder;
      if (!claim) {
        for (const entry of round.entries.values()) entry.isWatchedElsewhere = false;
        return { isReader: true, tasks: undefined };
      }
      listen();
      subscribe(round);
      await saveRequests(round);
      const isReader = claim.holder === instanceId;
      if (isReader) round.staleSince = undefined;
      else {
        for (const entry of round.entries.values()) entry.isWatchedElsewhere = false;
        requestReads(round, claim.tasks);
      }
      return { isReader, tasks: claim.tasks };
    },
    isReader: ({ holder }) => holder === undefined || holder === instanceId,
    async adopt(round, tasks) {
      const [now, elapsed] = [sharedTime(store, clock), clock.elapsed()];
      const caller = callerOf(round);
      const wanted = tasks.filter(({ isWatched, followedUntil = 0 }) => isWatched || followedUntil > now);
      const missing = wanted.filter(({ id }) => !round.entries.has(id)).map(({ id }) => id);
      const records = missing.length > 0 ? await store.findTasks(round.owner, missing) : [];
      const over = records.filter((task) => task !== undefined && isTerminal(task.status));
      if (over.length > 0)
        await polls.saveReadings(
          round,
          over.flatMap((task) => (task ? [{ id: task.id, freshMs: 0, isOver: true }] : [])),
        );
      for (const task of records)
        if (caller && task && isPolled(task) && rounds.size < maxFollowed)
          rounds.add(rounds.open(caller, task, { intervalMs: minIntervalMs, dueAt: elapsed }));
      const known = new Map(tasks.map((task) => [task.id, task]));
      for (const entry of round.entries.values()) {
        const { isWatched = false, followedUntil = 0 } = known.get(entry.task.id) ?? {};
        if (isWatched && !entry.isWatchedElsewhere) {
          entry.intervalMs = minIntervalMs;
          entry.dueAt = elapsed;
        }
        entry.isWatchedElsewhere = isWatched;
        if (followedUntil > now) entry.followedUntil ??= elapsed + followedUntil - now;
        if (!isWatchedAnywhere(entry) && entry.followedUntil === undefined) rounds.remove(entry);
      }
    },
    nextCheckAt({ staleSince }) {
      const now = clock.elapsed();
      const stalledAt = staleSince === undefined ? Number.POSITIVE_INFINITY : staleSince + stalledMs;
      return Math.min(now + maxRecordAgeMs, Math.max(stalledAt, now + minRecordAgeMs));
    },
    async readRecords(round, entries, tasks) {
      const known = new Map(tasks.map((task) => [task.id, task]));
      const records = await store.findTasks(
        round.owner,
        entries.map(({ task }) => task.id),
      );
      return records.map((record) => record && withReading(record, known.get(record.id)));
    },
    async report(round, entries, outcomes) {
      if (round.holder !== instanceId) return;
      const now = clock.elapsed();
      const failureOf = (index: number) => {
        const outcome = outcomes[index];
        return outcome instanceof Error ? undefined : outcome?.readFailure;
      };
      const readings = entries.map((entry, index): PollReading => {
        const { task, dueAt } = entry;
        return {
          id: task.id,
          lastReadAt: task.lastReadAt,
          readFailure: failureOf(index),
          freshMs: isWatchedAnywhere(entry) ? Math.max(0, dueAt - now) + readingMs : minIntervalMs,
          isOver: !isPolled(task),
        };
      });
      await polls
        .saveReadings(round, readings)
        .catch((error: unknown) => onFailed(error, 'the readings of a round'));
      for (const [index, { task, shared }] of entries.entries()) {
        const code = failureOf(index)?.code;
        if (code !== shared.failureCode) bus.publish(taskTopic(round.owner), task.id);
        shared.failureCode = code;
      }
    },
    endFollowing({ round, task, shared }) {
      shared.followedUntil = undefined;
      if (round.holder === instanceId)
        polls
          .endFollowing(round.owner, [task.id])
          .catch((error: unknown) => onFailed(error, 'the end of polling'));
    },
    release,
    close() {
      stopListening?.();
    },
  };
}

/** The record with the last reading of another instance. */
export function withReading(record: Task, polled: PolledTask | undefined): Task {
  const lastReadAt = Math.max(polled?.lastReadAt ?? 0, record.lastReadAt ?? 0);
  const readFailure = isTerminal(record.status) ? undefined : polled?.readFailure;
  return { ...record, readFailure, ...(lastReadAt > 0 && { lastReadAt }) };
}

/** Bus topic of the rounds that an instance polls. The subject of a message is the key of a round to read soon. */
function holderTopic(instanceId: string): string {
  return `polls ${instanceId}`;
}

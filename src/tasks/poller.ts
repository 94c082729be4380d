import { LRUCache } from 'lru-cache';
import type { Caller } from '../gateway/caller.ts';
import { toFailure } from '../generations/failure.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import type { Clock } from '../lib/clock.ts';
import { follow, type TakeResult } from '../lib/follow.ts';
import { type GenerationFailure, isTerminal, type Task } from '../store/records.ts';
import { createReadBudget } from './read-budget.ts';
import { isTaskTerminal } from './shown-task-status.ts';
import type { TaskKinds } from './task-kinds.ts';
import type { TaskOutcome, Tasks } from './tasks.ts';

export interface PollerOptions {
  readonly tasks: Tasks;
  readonly kinds: TaskKinds;
  readonly clock: Clock;
  readonly random: () => number;
  /** The first interval between two reads. */
  readonly minIntervalMs: number;
  /** The longest interval while a task is watched. */
  readonly maxIntervalMs: number;
  /** Watchers see a read failure only after reads have failed for this long. Polling continues. */
  readonly failureGraceMs: number;
  /** Unwatched tasks are polled until this age. 0 polls only watched tasks. */
  readonly followMs: number;
  /** The gateway refused the credential of unwatched tasks. They are no longer polled. */
  readonly onCredentialRefused?: ((owner: string) => void) | undefined;
  /** The final save of a task that is no longer polled has failed. */
  readonly onSaveFailed?: ((error: unknown, taskId: string) => void) | undefined;
}

/** Polls tasks: one schedule per task and owner, regardless of the number of watchers. */
export interface Poller {
  /** The last read state of a watched task. Undefined for an unwatched task, whose last read may be old. */
  current(owner: string, id: string): Task | undefined;
  /** The tasks' current states, then every change, until each is terminal or cannot be polled. */
  watch(caller: Caller, tasks: readonly Task[]): AsyncIterableIterator<Task, undefined>;
  /** Polls tasks to their end without a watcher, at growing intervals, until they reach the follow age. */
  follow(caller: Caller, tasks: readonly FollowedTask[]): void;
  /** Whether this process polls the task to its end. */
  isFollowed(owner: string, id: string): boolean;
  /** When a polled task was last read. Undefined if this process does not poll it. */
  lastReadAt(owner: string, id: string): number | undefined;
  /** Number of tasks that are polled. */
  readonly polled: number;
  /** Number of open watches. */
  readonly watchers: number;
  close(): void;
}

export interface FollowedTask {
  readonly task: Task;
  /** When it was created here, by this server's clock. */
  readonly createdAt: number;
}

/** One task of one owner. */
interface Entry {
  caller: Caller;
  readonly round: Round;
  readonly wakes: Set<() => void>;
  /** Polled without a watcher until this time. */
  followedUntil: number | undefined;
  task: Task;
  version: number;
  intervalMs: number;
  /** On the monotonic clock, like `failingSince`. */
  dueAt: number;
  failingSince: number | undefined;
}

/** Tasks of one owner that are read together: one request per round. */
interface Round {
  readonly key: string;
  readonly owner: string;
  readonly entries: Map<string, Entry>;
  cancelTimer: (() => void) | undefined;
  isReading: boolean;
  /** Whether the round waits for a reserved slot in the budget of unwatched reads. */
  isReserved: boolean;
}

const intervalGrowth = 1.4;
/** The longest interval while a task is not watched. */
const maxUnwatchedMs = 300_000;
/** While this many tasks are polled, a new task is polled only while it is watched. */
const maxFollowed = 20_000;
/** Reads per second without a watcher. */
const unwatchedReads = { perOwner: 5, inTotal: 50 };

export function createPoller(options: PollerOptions): Poller {
  const { tasks, kinds, clock, random, minIntervalMs, maxIntervalMs, followMs } = options;
  const rounds = new Map<string, Round>();
  const budget = createReadBudget({ clock, ...unwatchedReads });
  /** Next intervals of refused tasks. A gateway can refuse one task and accept the credential elsewhere, which resumes polling. */
  const refusedIntervals = new LRUCache<string, number>({ max: maxFollowed });
  let watchers = 0;
  let polled = 0;
  let isClosed = false;

  const isPolled = (task: Task): boolean => !isTaskTerminal(task, tasks);
  /** Tasks of one owner that one request can read share a round. */
  const roundKey = (owner: string, { kind, id }: Pick<Task, 'kind' | 'id'>): string =>
    `${owner} ${kinds.find(kind)?.batch ?? id}`;
  const isWatched = ({ wakes }: Entry): boolean => wakes.size > 0;

  /** Spreads intervals by a fifth either way, so that rounds do not synchronize. */
  const jitter = (intervalMs: number): number => intervalMs * (0.8 + 0.4 * random());

  const schedule = (round: Round): void => {
    if (round.isReserved && ![...round.entries.values()].some(isWatched)) return;
    round.cancelTimer?.();
    round.cancelTimer = undefined;
    round.isReserved = false;
    if (round.entries.size === 0 && rounds.get(round.key) === round) rounds.delete(round.key);
    if (round.entries.size === 0 || round.isReading || isClosed) return;
    const dueAt = Math.min(...[...round.entries.values()].map((entry) => entry.dueAt));
    round.cancelTimer = clock.after(Math.max(0, dueAt - clock.elapsed()), () => void readRound(round));
  };

  const readRound = async (round: Round): Promise<void> => {
    const now = clock.elapsed();
    // Tasks that are due soon join the request that is sent anyway.
    const due = [...round.entries.values()].filter((entry) => entry.dueAt <= now + entry.intervalMs / 2);
    const waitMs = due.some(isWatched) || round.isReserved ? 0 : budget.reserve(round.owner);
    round.isReserved = waitMs > 0;
    if (waitMs > 0) {
      round.cancelTimer = clock.after(waitMs, () => void readRound(round));
      return;
    }
    round.isReading = true;
    const [first] = due;
    try {
      const outcomes = first
        ? await tasks.readAgain(
            first.caller,
            due.map(({ task }) => task),
          )
        : [];
      for (const [index, entry] of due.entries()) settle(entry, outcomes[index]);
    } catch (error) {
      for (const entry of due) settle(entry, error instanceof Error ? error : new Error(String(error)));
    } finally {
      round.isReading = false;
      schedule(round);
    }
  };

  const settle = (entry: Entry, outcome: TaskOutcome): void => {
    const now = clock.elapsed();
    let waitMs = jitter(entry.intervalMs);
    entry.intervalMs = Math.min(
      isWatched(entry) ? maxIntervalMs : maxUnwatchedMs,
      entry.intervalMs * intervalGrowth,
    );
    const failure = outcome instanceof Error ? toFailure(outcome) : outcome?.readFailure;
    if (failure) {
      entry.failingSince ??= now;
      waitMs = Math.max(waitMs, (failure.retryAfterSeconds ?? 0) * 1000);
      const isCertain = isLasting(failure) || now - entry.failingSince >= options.failureGraceMs;
      if (isCertain && entry.task.readFailure?.code !== failure.code)
        publish(entry, { ...entry.task, readFailure: failure });
    } else if (!(outcome instanceof Error)) {
      entry.failingSince = undefined;
      const task = outcome ?? entry.task;
      if (!isSame(task, entry.task)) publish(entry, task);
      else entry.task = task;
    }
    entry.dueAt = now + waitMs;
    // A refused credential stays refused. A watch or a read with a valid one resumes polling.
    const isRefused = failure?.code === 'AUTHENTICATION_FAILED';
    if (isRefused) refusedIntervals.set(taskKey(entry.caller.owner, entry.task.id), entry.intervalMs);
    else if (!failure) refusedIntervals.delete(taskKey(entry.caller.owner, entry.task.id));
    if (entry.followedUntil !== undefined && (isRefused || clock.now() >= entry.followedUntil)) {
      stopFollowing(entry);
      if (isRefused) options.onCredentialRefused?.(entry.caller.owner);
    }
    // A reply can also replace the task's address with one that is not trusted.
    if (isPolled(entry.task)) removeIfIdle(entry);
    else remove(entry);
  };

  /** Saves the task with the time of its last read, because background polling stops. */
  const stopFollowing = (entry: Entry): void => {
    entry.followedUntil = undefined;
    // A read failure is temporary, so it is not recorded.
    const { readFailure: _failure, ...task } = entry.task;
    if (isTerminal(task.status)) return;
    tasks.save(task).catch((error: unknown) => options.onSaveFailed?.(error, task.id));
  };

  const publish = (entry: Entry, task: Task): void => {
    entry.task = task;
    entry.version += 1;
    for (const wake of entry.wakes) wake();
  };

  const remove = (entry: Entry): void => {
    if (entry.round.entries.delete(entry.task.id)) polled -= 1;
    entry.followedUntil = undefined;
  };

  const removeIfIdle = (entry: Entry): void => {
    if (!isWatched(entry) && entry.followedUntil === undefined) remove(entry);
  };

  const findEntry = (owner: string, id: string): Entry | undefined => {
    const handle = kinds.handleOf(id);
    return handle && rounds.get(roundKey(owner, { ...handle, id }))?.entries.get(id);
  };

  const join = (caller: Caller, task: Task): Entry => {
    const key = roundKey(caller.owner, task);
    const round: Round = rounds.get(key) ?? {
      key,
      owner: caller.owner,
      entries: new Map(),
      cancelTimer: undefined,
      isReading: false,
      isReserved: false,
    };
    const known = round.entries.get(task.id);
    if (known) return known;
    const intervalMs = refusedIntervals.get(taskKey(caller.owner, task.id)) ?? minIntervalMs;
    const entry: Entry = {
      caller,
      round,
      task,
      wakes: new Set(),
      followedUntil: undefined,
      version: 0,
      intervalMs,
      dueAt: clock.elapsed() + jitter(intervalMs),
      failingSince: undefined,
    };
    // A terminal or untrackable task is sent to its watchers once and not polled.
    if (isPolled(task)) {
      rounds.set(key, round);
      round.entries.set(task.id, entry);
      polled += 1;
    }
    return entry;
  };

  /** Adds a watcher. The first watcher replaces the entry's credential and state, and resets the interval to the minimum. */
  const joinWatched = (caller: Caller, task: Task, wake: () => void): Entry => {
    const entry = join(caller, task);
    if (!isWatched(entry)) {
      entry.caller = caller;
      entry.intervalMs = minIntervalMs;
      entry.dueAt = Math.min(entry.dueAt, clock.elapsed() + jitter(minIntervalMs));
      if (!isSame(task, entry.task)) publish(entry, task);
    }
    entry.wakes.add(wake);
    schedule(entry.round);
    return entry;
  };

  const leave = (entry: Entry, wake: () => void): void => {
    entry.wakes.delete(wake);
    removeIfIdle(entry);
    schedule(entry.round);
  };

  return {
    current(owner, id) {
      const entry = findEntry(owner, id);
      return entry && isWatched(entry) ? entry.task : undefined;
    },
    watch(caller, watched) {
      const cursors: { readonly entry: Entry; seen: number; isDone: boolean }[] = [];
      const take = (): TakeResult<Task> => {
        const next = cursors.find(({ entry, seen, isDone }) => !isDone && entry.version > seen);
        if (next) {
          next.seen = next.entry.version;
          next.isDone = !isPolled(next.entry.task);
          return { value: next.entry.task };
        }
        return cursors.every(({ isDone }) => isDone) ? 'end' : 'wait';
      };
      const open = (wake: () => void): (() => void) => {
        watchers += 1;
        for (const task of watched) {
          // Below any version, so that the current state comes first.
          cursors.push({ entry: joinWatched(caller, task, wake), seen: -1, isDone: false });
        }
        return () => {
          watchers -= 1;
          for (const { entry } of cursors) leave(entry, wake);
        };
      };
      return follow({ open, take });
    },
    // The poll outlives the operation, so it does not belong to its trace.
    follow({ trace: _trace, ...caller }, followed) {
      for (const { task, createdAt } of followed) {
        const until = createdAt + followMs;
        if (isClosed || !isPolled(task) || until <= clock.now() || polled >= maxFollowed) continue;
        const entry = join(caller, task);
        entry.followedUntil = until;
        if (!isWatched(entry)) entry.caller = caller;
        schedule(entry.round);
      }
    },
    isFollowed: (owner, id) => findEntry(owner, id)?.followedUntil !== undefined,
    lastReadAt: (owner, id) => findEntry(owner, id)?.task.lastReadAt,
    get polled() {
      return polled;
    },
    get watchers() {
      return watchers;
    },
    close() {
      isClosed = true;
      for (const round of rounds.values()) {
        round.cancelTimer?.();
        round.entries.clear();
      }
      rounds.clear();
      polled = 0;
    },
  };
}

function taskKey(owner: string, id: string): string {
  return `${owner} ${id}`;
}

/** Whether two readings of a task are equal, apart from their time. */
function isSame({ lastReadAt: _left, ...left }: Task, { lastReadAt: _right, ...right }: Task): boolean {
  // Readings of one recorded reply share the same `raw` object, and all other members derive from it.
  const isOneReply = left.raw !== undefined && left.raw === right.raw && left.status === right.status;
  if (isOneReply && left.readFailure === right.readFailure) return true;
  return canonicalJson(left) === canonicalJson(right);
}

/** A refused credential or an exhausted quota does not change soon, so watchers see it without the grace time. */
export function isLasting({ code }: GenerationFailure): boolean {
  return code === 'AUTHENTICATION_FAILED' || code === 'QUOTA_EXCEEDED';
}

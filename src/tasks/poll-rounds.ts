import type { Caller } from '../gateway/caller.ts';
import { unpackId } from '../lib/ids.ts';
import type { PollTarget } from '../store/poll-records.ts';
import type { Task } from '../store/records.ts';
import type { TaskKinds } from './task-kinds.ts';

/** One polled task of one owner. */
export interface PollEntry {
  caller: Caller;
  readonly round: PollRound;
  readonly wakes: Set<() => void>;
  /** Whether clients of other instances watch it. Known only while this instance holds the lease of the round. */
  isWatchedElsewhere: boolean;
  /** Polled without a watcher until this time, on the monotonic clock, like `dueAt` and `failingSince`. */
  followedUntil: number | undefined;
  task: Task;
  version: number;
  intervalMs: number;
  dueAt: number;
  failingSince: number | undefined;
  /** What other instances know about it. */
  readonly shared: SharedState;
}

interface SharedState {
  /** On the monotonic clock of this instance. */
  followedUntil?: number | undefined;
  /** When this instance last reported its watchers, on the monotonic clock. */
  watchedAt?: number | undefined;
  failureCode?: string | undefined;
}

/** Tasks of one owner that are read together: one request per reading. */
export interface PollRound extends PollTarget {
  readonly key: string;
  readonly entries: Map<string, PollEntry>;
  cancelTimer: (() => void) | undefined;
  isReading: boolean;
  /** Whether the round waits for a reserved slot in the budget of unwatched reads. */
  isReserved: boolean;
  /** Whether the round runs before one of its tasks is due: another instance reports a change. */
  isWoken: boolean;
  /** The instance that polls the round for all. Undefined while this instance is alone. */
  holder: string | undefined;
  /** Since when the holder, another instance, has not read a task that is watched here. On the monotonic clock. */
  staleSince: number | undefined;
  unsubscribe: (() => void) | undefined;
}

/** The first reading of a new entry. */
interface FirstReading {
  readonly intervalMs: number;
  readonly dueAt: number;
}

/** While this many tasks are polled, a new task is polled only while it is watched. */
export const maxFollowed = 20_000;

/** The polled tasks, in rounds. */
export interface PollRounds {
  /** Number of polled tasks. */
  readonly size: number;
  find(owner: string, id: string): PollEntry | undefined;
  get(key: string): PollRound | undefined;
  all(): Iterable<PollRound>;
  /** The entry of a task, which `add` puts into its round if it is new. */
  open(caller: Caller, task: Task, first: FirstReading): PollEntry;
  add(entry: PollEntry): void;
  remove(entry: PollEntry): void;
  /** Forgets a round without entries. */
  drop(round: PollRound): void;
  clear(): void;
}

export function createPollRounds(kinds: TaskKinds): PollRounds {
  const rounds = new Map<string, PollRound>();
  let size = 0;
  /** Tasks of one owner that one request can read share a round. */
  const nameOf = ({ kind, id }: Pick<Task, 'kind' | 'id'>): string => kinds.find(kind)?.batch ?? id;
  return {
    get size() {
      return size;
    },
    find(owner, id) {
      // Not a handle: the id of a recorded task may have characters that no path has, as in the name of its model.
      const [kind = ''] = unpackId('task', id) ?? [];
      return rounds.get(roundKey({ owner, round: nameOf({ kind, id }) }))?.entries.get(id);
    },
    get: (key) => rounds.get(key),
    all: () => rounds.values(),
    open(caller, task, first) {
      const target = { owner: caller.owner, round: nameOf(task) };
      const round = rounds.get(roundKey(target)) ?? createRound(target);
      return round.entries.get(task.id) ?? createEntry(round, { caller, task, ...first });
    },
    add(entry) {
      const { round, task } = entry;
      if (round.entries.has(task.id)) return;
      rounds.set(round.key, round);
      round.entries.set(task.id, entry);
      size += 1;
    },
    remove(entry) {
      const { entries } = entry.round;
      // The task of an entry that was never polled may have another one by now.
      if (entries.get(entry.task.id) === entry && entries.delete(entry.task.id)) size -= 1;
      entry.followedUntil = undefined;
    },
    drop(round) {
      if (rounds.get(round.key) === round) rounds.delete(round.key);
    },
    clear() {
      for (const round of rounds.values()) {
        round.cancelTimer?.();
        round.unsubscribe?.();
        round.entries.clear();
      }
      rounds.clear();
      size = 0;
    },
  };
}

/** The caller to read a round with: all have the same owner, but some may have no credential, as they are from a record. */
export function callerOf({ entries }: PollRound): Caller | undefined {
  let found: Caller | undefined;
  for (const { caller } of entries.values()) {
    if (caller.credential !== '') return caller;
    found ??= caller;
  }
  return found;
}

export function isWatched({ wakes, isWatchedElsewhere }: PollEntry): boolean {
  return wakes.size > 0 || isWatchedElsewhere;
}

function roundKey({ owner, round }: PollTarget): string {
  return `${owner} ${round}`;
}

/** The reverse of `roundKey`. Owners contain no spaces. */
export function fromRoundKey(key: string): PollTarget {
  const end = key.indexOf(' ');
  return { owner: key.slice(0, end), round: key.slice(end + 1) };
}

/** Shows a new state to the watchers of a task. */
export function publish(entry: PollEntry, task: Task): void {
  entry.task = task;
  entry.version += 1;
  for (const wake of entry.wakes) wake();
}

function createRound(target: PollTarget): PollRound {
  return {
    ...target,
    key: roundKey(target),
    entries: new Map(),
    cancelTimer: undefined,
    isReading: false,
    isReserved: false,
    isWoken: false,
    holder: undefined,
    staleSince: undefined,
    unsubscribe: undefined,
  };
}

function createEntry(round: PollRound, values: FirstReading & Pick<PollEntry, 'caller' | 'task'>): PollEntry {
  return {
    ...values,
    round,
    wakes: new Set(),
    isWatchedElsewhere: false,
    followedUntil: undefined,
    version: 0,
    failingSince: undefined,
    shared: {},
  };
}

import type { Caller } from '../gateway/caller.ts';
import type { Task } from '../store/records.ts';
import type { TaskKinds } from './task-kinds.ts';

/** One polled task of one owner. */
export interface PollEntry {
  caller: Caller;
  readonly round: PollRound;
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

/** Tasks of one owner that are read together: one request per reading. */
export interface PollRound {
  readonly key: string;
  readonly owner: string;
  readonly entries: Map<string, PollEntry>;
  cancelTimer: (() => void) | undefined;
  isReading: boolean;
  /** Whether the round waits for a reserved slot in the budget of unwatched reads. */
  isReserved: boolean;
}

/** The first reading of a new entry. */
export interface FirstReading {
  readonly intervalMs: number;
  readonly dueAt: number;
}

/** The polled tasks, in rounds. */
export interface PollRounds {
  /** Number of polled tasks. */
  readonly size: number;
  find(owner: string, id: string): PollEntry | undefined;
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
  const keyOf = (owner: string, { kind, id }: Pick<Task, 'kind' | 'id'>): string =>
    `${owner} ${kinds.find(kind)?.batch ?? id}`;
  return {
    get size() {
      return size;
    },
    find(owner, id) {
      const handle = kinds.handleOf(id);
      return handle && rounds.get(keyOf(owner, { ...handle, id }))?.entries.get(id);
    },
    open(caller, task, first) {
      const key = keyOf(caller.owner, task);
      const round = rounds.get(key) ?? createRound(key, caller.owner);
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
      if (entry.round.entries.delete(entry.task.id)) size -= 1;
      entry.followedUntil = undefined;
    },
    drop(round) {
      if (rounds.get(round.key) === round) rounds.delete(round.key);
    },
    clear() {
      for (const round of rounds.values()) {
        round.cancelTimer?.();
        round.entries.clear();
      }
      rounds.clear();
      size = 0;
    },
  };
}

export function isWatched({ wakes }: PollEntry): boolean {
  return wakes.size > 0;
}

/** Shows a new state to the watchers of a task. */
export function publish(entry: PollEntry, task: Task): void {
  entry.task = task;
  entry.version += 1;
  for (const wake of entry.wakes) wake();
}

function createRound(key: string, owner: string): PollRound {
  return {
    key,
    owner,
    entries: new Map(),
    cancelTimer: undefined,
    isReading: false,
    isReserved: false,
  };
}

function createEntry(round: PollRound, values: FirstReading & Pick<PollEntry, 'caller' | 'task'>): PollEntry {
  return {
    ...values,
    round,
    wakes: new Set(),
    followedUntil: undefined,
    version: 0,
    failingSince: undefined,
  };
}

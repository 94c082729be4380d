import type { Caller } from '../gateway/caller.ts';
import { GatewayError, RateLimitError } from '../errors.ts';
import { toFailure } from '../generations/failure.ts';
import type { Clock } from '../lib/clock.ts';
import { follow, type TakeResult } from '../lib/follow.ts';
import { type GenerationFailure, type GenerationKind, isTerminal, type Task } from '../store/records.ts';
import type { TaskKinds } from './task-kinds.ts';
import type { TaskOutcome, Tasks } from './tasks.ts';

export interface PollerOptions {
  readonly tasks: Tasks;
  readonly kinds: TaskKinds;
  readonly clock: Clock;
  readonly random: () => number;
  /** The first wait between two reads. */
  readonly minIntervalMs: number;
  /** Upper limit of the growing wait between two reads. */
  readonly maxIntervalMs: number;
  /** After reads have failed for this long, the task shows the failure. The watch continues. */
  readonly patienceMs: number;
}

/** Polls tasks at the gateway while they are watched. All watchers of an owner's task share one polling schedule. */
export interface Poller {
  /** The last read state of a polled task. Undefined when the task is not polled. */
  current(owner: string, id: string): Task | undefined;
  /** Yields each task's current state, then its changes. Completes when every task is terminal or untrackable. */
  watch(caller: Caller, tasks: readonly Task[]): AsyncIterableIterator<Task, undefined>;
  /** Number of polled tasks. */
  readonly polled: number;
  /** Number of open watches. */
  readonly watchers: number;
  close(): void;
}

/** One task of one owner. */
interface Entry {
  readonly caller: Caller;
  readonly round: Round;
  readonly wakes: Set<() => void>;
  task: Task;
  version: number;
  intervalMs: number;
  dueAt: number;
  failingSince: number | undefined;
}

/** Tasks of one owner that are read together, with one request per round. */
interface Round {
  readonly key: string;
  readonly entries: Map<string, Entry>;
  cancelTimer: (() => void) | undefined;
  isReading: boolean;
}

const growth = 1.4;

export function createPoller(options: PollerOptions): Poller {
  const { tasks, kinds, clock, random, minIntervalMs, maxIntervalMs } = options;
  const rounds = new Map<string, Round>();
  let watchers = 0;
  let isClosed = false;

  /** Tasks of one owner that the gateway reads in one request share a round. */
  const roundKey = (owner: string, kind: GenerationKind, id: string): string =>
    `${owner} ${kinds.find(kind)?.batch ?? id}`;

  const isPolled = (task: Task): boolean => !isTerminal(task.status) && tasks.isTrackable(task);

  /** Jitter of ±20 % keeps many rounds from synchronizing. */
  const jitter = (intervalMs: number): number => intervalMs * (0.8 + 0.4 * random());

  const schedule = (round: Round): void => {
    round.cancelTimer?.();
    round.cancelTimer = undefined;
    if (round.entries.size === 0 && rounds.get(round.key) === round) rounds.delete(round.key);
    if (round.entries.size === 0 || round.isReading || isClosed) return;
    const dueAt = Math.min(...[...round.entries.values()].map((entry) => entry.dueAt));
    round.cancelTimer = clock.after(Math.max(0, dueAt - clock.now()), () => void readRound(round));
  };

  const readRound = async (round: Round): Promise<void> => {
    round.isReading = true;
    const now = clock.now();
    // Tasks that are due soon join this request.
    const due = [...round.entries.values()].filter((entry) => entry.dueAt <= now + entry.intervalMs / 2);
    const [first] = due;
    try {
      const outcomes = first
        ? await tasks.readOn(
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
    const now = clock.now();
    let waitMs = jitter(entry.intervalMs);
    entry.intervalMs = Math.min(maxIntervalMs, entry.intervalMs * growth);
    const failure = outcome instanceof Error ? toFailure(outcome) : outcome?.readFailure;
    if (failure) {
      entry.failingSince ??= now;
      if (outcome instanceof Error) waitMs = Math.max(waitMs, retryAfterMs(outcome));
      const isSure = isLasting(failure) || now - entry.failingSince >= options.patienceMs;
      if (isSure && entry.task.readFailure?.code !== failure.code)
        show(entry, { ...entry.task, readFailure: failure });
    } else if (!(outcome instanceof Error)) {
      entry.failingSince = undefined;
      const task = outcome ?? entry.task;
      if (task !== entry.task) show(entry, task);
    }
    entry.dueAt = now + waitMs;
    if (isTerminal(entry.task.status)) entry.round.entries.delete(entry.task.id);
  };

  const show = (entry: Entry, task: Task): void => {
    entry.task = task;
    entry.version += 1;
    for (const wake of entry.wakes) wake();
  };

  const join = (caller: Caller, task: Task): Entry => {
    const key = roundKey(caller.owner, task.kind, task.id);
    const round: Round = rounds.get(key) ?? {
      key,
      entries: new Map(),
      cancelTimer: undefined,
      isReading: false,
    };
    const known = round.entries.get(task.id);
    if (known) return known;
    const entry: Entry = {
      caller,
      round,
      task,
      wakes: new Set(),
      version: 0,
      intervalMs: minIntervalMs,
      dueAt: clock.now() + jitter(minIntervalMs),
      failingSince: undefined,
    };
    // Terminal and untrackable tasks yield their current state only.
    if (isPolled(task)) {
      rounds.set(key, round);
      round.entries.set(task.id, entry);
      schedule(round);
    }
    return entry;
  };

  const leave = (entry: Entry, wake: () => void): void => {
    entry.wakes.delete(wake);
    if (entry.wakes.size > 0) return;
    entry.round.entries.delete(entry.task.id);
    schedule(entry.round);
  };

  return {
    current(owner, id) {
      const handle = kinds.handleOf(id);
      return handle && rounds.get(roundKey(owner, handle.kind, id))?.entries.get(id)?.task;
    },
    watch(caller, watched) {
      const cursors: { readonly entry: Entry; seen: number; isOver: boolean }[] = [];
      const take = (): TakeResult<Task> => {
        const next = cursors.find(({ entry, seen, isOver }) => !isOver && entry.version > seen);
        if (next) {
          next.seen = next.entry.version;
          next.isOver = !isPolled(next.entry.task);
          return { value: next.entry.task };
        }
        return cursors.every(({ isOver }) => isOver) ? 'end' : 'wait';
      };
      const open = (wake: () => void): (() => void) => {
        watchers += 1;
        for (const task of watched) {
          const entry = join(caller, task);
          entry.wakes.add(wake);
          // Lower than any version, so that the current state is yielded first.
          cursors.push({ entry, seen: -1, isOver: false });
        }
        return () => {
          watchers -= 1;
          for (const { entry } of cursors) leave(entry, wake);
        };
      };
      return follow({ open, take });
    },
    get polled() {
      return [...rounds.values()].reduce((count, { entries }) => count + entries.size, 0);
    },
    get watchers() {
      return watchers;
    },
    close() {
      isClosed = true;
      for (const round of rounds.values()) round.cancelTimer?.();
      rounds.clear();
    },
  };
}

/** A refused credential stays refused, so the failure is shown without waiting. */
function isLasting({ code }: GenerationFailure): boolean {
  return code === 'AUTHENTICATION_FAILED' || code === 'QUOTA_EXCEEDED';
}

function retryAfterMs(error: Error): number {
  const isSlowDown = error instanceof RateLimitError || error instanceof GatewayError;
  return isSlowDown ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
}

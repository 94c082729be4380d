import { LRUCache } from 'lru-cache';
import type { Bus } from '../bus/bus.ts';
import type { Caller } from '../gateway/caller.ts';
import { limitEntries } from '../lib/cache-limits.ts';
import type { Clock } from '../lib/clock.ts';
import { follow, type TakeResult } from '../lib/follow.ts';
import { isRecent } from '../lib/time.ts';
import { isTerminal, type Task } from '../store/records.ts';
import { earliestTime } from '../store/sharing.ts';
import type { Store, UnfinishedTask } from '../store/store.ts';
import { createHolderWatch } from './holder-watch.ts';
import { createPollLeases } from './poll-leases.ts';
import { createPollRounds, isWatched, maxFollowed, type PollEntry, publish } from './poll-rounds.ts';
import { createPollSchedule } from './poll-schedule.ts';
import { isSame, settlePoll } from './settle-poll.ts';
import { isTaskTerminal } from './shown-task-status.ts';
import type { TaskKinds } from './task-kinds.ts';
import type { TaskOutcome } from './task-outcome.ts';
import type { Tasks } from './tasks.ts';

export interface PollerOptions {
  readonly tasks: Tasks;
  readonly store: Pick<Store, 'instanceId' | 'findTasks' | 'sharing'>;
  readonly bus: Bus;
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
  /** Instances that polled tasks of these owners are dead or frozen. */
  readonly onHoldersLost?: ((owners: readonly string[]) => void) | undefined;
  /** Instances could not exchange what they poll. `what` names it in the log. */
  readonly onShareFailed?: ((error: unknown, what: string) => void) | undefined;
  /** The final save of a task that is no longer polled has failed. */
  readonly onSaveFailed?: ((error: unknown, taskId: string) => void) | undefined;
}

/** Polls tasks: one schedule per task and owner, regardless of the number of watchers and instances. */
export interface Poller {
  /** The last read state of a watched task. Undefined for an unwatched task, whose last read may be old. */
  current(owner: string, id: string): Task | undefined;
  /** The tasks' current states, then every change, until each is terminal or cannot be polled. */
  watch(caller: Caller, tasks: readonly Task[]): AsyncIterableIterator<Task, undefined>;
  /** Polls tasks to their end without a watcher, at growing intervals, until they reach the follow age. */
  follow(caller: Caller, tasks: readonly UnfinishedTask[]): void;
  /** Takes over what dead and frozen instances polled. Call it regularly. Absent if the records are not shared. */
  readonly checkHolders?: (() => Promise<void>) | undefined;
  /** Whether this process polls the task to its end. */
  isFollowed(owner: string, id: string): boolean;
  /** Whether the task was read so recently that nothing would read it again. */
  isFresh(task: Task): boolean;
  /** When a polled task was last read. Undefined if this process does not poll it. */
  lastReadAt(owner: string, id: string): number | undefined;
  /** Number of tasks that are polled. */
  readonly polled: number;
  /** Number of open watches. */
  readonly watchers: number;
  close(): void;
}

export function createPoller(options: PollerOptions): Poller {
  const { tasks, kinds, clock, random, minIntervalMs, maxIntervalMs, failureGraceMs, followMs } = options;
  const rounds = createPollRounds(kinds);
  /** Next intervals of refused tasks. A gateway can refuse one task and accept the credential elsewhere, which resumes polling. */
  const refusedIntervals = new LRUCache<string, number>(limitEntries(maxFollowed));
  let watchers = 0;
  let isClosed = false;

  const isPolled = (task: Task): boolean => !isTaskTerminal(task, tasks);
  /** Spreads intervals by a fifth either way, so that rounds do not synchronize. */
  const jitter = (intervalMs: number): number => intervalMs * (0.8 + 0.4 * random());

  const settle = (entry: PollEntry, outcome: TaskOutcome): void => {
    const failure = settlePoll(entry, outcome, { clock, jitter, maxIntervalMs, failureGraceMs });
    // A refused credential stays refused. A watch or a read with a valid one resumes polling.
    const isRefused = failure?.code === 'AUTHENTICATION_FAILED';
    if (isRefused) refusedIntervals.set(taskKey(entry.caller.owner, entry.task.id), entry.intervalMs);
    else if (!failure) refusedIntervals.delete(taskKey(entry.caller.owner, entry.task.id));
    if (entry.followedUntil !== undefined && (isRefused || clock.elapsed() >= entry.followedUntil)) {
      stopFollowing(entry);
      if (isRefused) {
        leases?.endFollowing(entry);
        options.onCredentialRefused?.(entry.caller.owner);
      }
    }
    // A reply can also replace the task's address with one that is not trusted.
    if (isPolled(entry.task)) removeIfIdle(entry);
    else rounds.remove(entry);
  };
  const polls = options.store.sharing?.polls;
  const leases =
    polls &&
    createPollLeases({
      store: options.store,
      polls,
      bus: options.bus,
      clock,
      rounds,
      isPolled,
      minIntervalMs,
      wake: (round) => wake(round),
      onFailed: (error, what) => options.onShareFailed?.(error, what),
    });
  const { schedule, wake, close } = createPollSchedule({ tasks, rounds, leases, clock, settle });
  const holderWatch =
    polls &&
    createHolderWatch({
      polls,
      rounds,
      clock,
      random,
      wake,
      onLost: (owners) => options.onHoldersLost?.(owners),
    });

  /** Saves the task with the time of its last read, because background polling stops. */
  const stopFollowing = (entry: PollEntry): void => {
    entry.followedUntil = undefined;
    // A read failure is temporary, so it is not recorded.
    const { readFailure: _failure, ...task } = entry.task;
    if (isTerminal(task.status) || leases?.isReader(entry.round) === false) return;
    tasks.save(task).catch((error: unknown) => options.onSaveFailed?.(error, task.id));
  };

  const removeIfIdle = (entry: PollEntry): void => {
    if (!isWatched(entry) && entry.followedUntil === undefined) rounds.remove(entry);
  };

  const join = (caller: Caller, task: Task): PollEntry => {
    const intervalMs = refusedIntervals.get(taskKey(caller.owner, task.id)) ?? minIntervalMs;
    const entry = rounds.open(caller, task, { intervalMs, dueAt: clock.elapsed() + jitter(intervalMs) });
    // A terminal or untrackable task is sent to its watchers once and not polled.
    if (isPolled(task)) rounds.add(entry);
    return entry;
  };

  /** Adds a watcher. The first watcher replaces the entry's credential and state, and resets the interval to the minimum. */
  const joinWatched = (caller: Caller, task: Task, wake: () => void): PollEntry => {
    const entry = join(caller, task);
    const isFirst = !isWatched(entry);
    // A caller from a record has no credential.
    if (caller.isRecorded !== true && (isFirst || entry.caller.isRecorded)) entry.caller = caller;
    if (isFirst) {
      entry.intervalMs = minIntervalMs;
      entry.dueAt = Math.min(entry.dueAt, clock.elapsed() + jitter(minIntervalMs));
      if (!isSame(task, entry.task)) publish(entry, task);
    }
    entry.wakes.add(wake);
    schedule(entry.round);
    return entry;
  };

  const leave = (entry: PollEntry, wake: () => void): void => {
    entry.wakes.delete(wake);
    removeIfIdle(entry);
    schedule(entry.round);
  };

  return {
    current(owner, id) {
      const entry = rounds.find(owner, id);
      return entry && isWatched(entry) ? entry.task : undefined;
    },
    watch(caller, watched) {
      const cursors: { readonly entry: PollEntry; seen: number; isDone: boolean }[] = [];
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
        const remainingMs = createdAt + followMs - earliestTime(options.store, clock);
        if (isClosed || !isPolled(task) || remainingMs <= 0 || rounds.size >= maxFollowed) continue;
        const entry = join(caller, task);
        entry.followedUntil = clock.elapsed() + remainingMs;
        if (!isWatched(entry)) entry.caller = caller;
        schedule(entry.round);
      }
    },
    checkHolders: holderWatch?.check,
    isFollowed: (owner, id) => rounds.find(owner, id)?.followedUntil !== undefined,
    isFresh: ({ lastReadAt = 0 }) => isRecent(lastReadAt, clock.now(), minIntervalMs),
    lastReadAt: (owner, id) => rounds.find(owner, id)?.task.lastReadAt,
    get polled() {
      return rounds.size;
    },
    get watchers() {
      return watchers;
    },
    close() {
      isClosed = true;
      holderWatch?.close();
      close();
    },
  };
}

function taskKey(owner: string, id: string): string {
  return `${owner} ${id}`;
}

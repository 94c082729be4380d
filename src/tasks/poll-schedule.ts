import type { Clock } from '../lib/clock.ts';
import { toError } from '../lib/thrown.ts';
import type { PollLeases } from './poll-leases.ts';
import { callerOf, isWatched, type PollEntry, type PollRound, type PollRounds } from './poll-rounds.ts';
import type { PolledTask } from '../store/poll-records.ts';
import { createReadBudget } from './read-budget.ts';
import type { TaskOutcome } from './task-outcome.ts';
import type { Tasks } from './tasks.ts';

export interface PollScheduleOptions {
  readonly tasks: Pick<Tasks, 'find' | 'readAgain'>;
  readonly rounds: PollRounds;
  /** Absent if the records are not shared. */
  readonly leases: PollLeases | undefined;
  readonly clock: Clock;
  /** Applies the outcome of a read and sets the time of the next one. */
  readonly settle: (entry: PollEntry, outcome: TaskOutcome) => void;
}

/** Reads each round when one of its tasks is due. */
export interface PollSchedule {
  /** Sets the timer of a round after its entries changed. */
  schedule(round: PollRound): void;
  /** Runs a round as soon as possible, because another instance reports a change. */
  wake(round: PollRound): void;
  close(): void;
}

/** Reads per second without a watcher. */
const unwatchedReads = { perOwner: 5, inTotal: 50 };

export function createPollSchedule(options: PollScheduleOptions): PollSchedule {
  const { tasks, rounds, leases, clock, settle } = options;
  const budget = createReadBudget({ clock, ...unwatchedReads });
  let isClosed = false;

  const schedule = (round: PollRound): void => {
    const entries = [...round.entries.values()];
    if (round.isReserved && !round.isWoken && !entries.some(isWatched)) return;
    round.cancelTimer?.();
    round.cancelTimer = undefined;
    round.isReserved = false;
    if (entries.length === 0) {
      rounds.drop(round);
      leases?.release(round);
      return;
    }
    if (round.isReading || isClosed) return;
    const now = clock.elapsed();
    const dueAt = round.isWoken ? now : Math.min(...entries.map((entry) => entry.dueAt));
    round.cancelTimer = clock.after(Math.max(0, dueAt - now), () => void run(round));
  };

  const run = async (round: PollRound): Promise<void> => {
    const due = dueEntries(round, clock.elapsed());
    const isUrgent = round.isWoken || round.isReserved || due.some(isWatched);
    const waitMs = isUrgent ? 0 : budget.reserve(round.owner);
    round.isReserved = waitMs > 0;
    if (waitMs > 0) {
      round.cancelTimer = clock.after(waitMs, () => void run(round));
      return;
    }
    round.isWoken = false;
    round.isReading = true;
    try {
      await readRound(round);
    } catch (error) {
      for (const entry of dueEntries(round, clock.elapsed())) settle(entry, toError(error));
    } finally {
      round.isReading = false;
      schedule(round);
    }
  };

  const readRound = async (round: PollRound): Promise<void> => {
    const role = await leases?.claim(round);
    if (leases && role?.tasks) {
      if (!role.isReader) return readRecords(leases, round, role.tasks);
      await leases.adopt(round, role.tasks);
    }
    const due = await withoutDeleted(dueEntries(round, clock.elapsed()), options);
    const outcomes = await readEntries(due);
    await leases?.report(round, due, outcomes);
  };

  /** Another instance polls the round. A task whose record was deleted is read here, because only the record is shared. */
  const readRecords = async (
    shared: PollLeases,
    round: PollRound,
    known: readonly PolledTask[],
  ): Promise<void> => {
    const entries = [...round.entries.values()];
    const records = await shared.readRecords(round, entries, known);
    const due = new Set(dueEntries(round, clock.elapsed()));
    const deleted: PollEntry[] = [];
    for (const [index, entry] of entries.entries()) {
      const record = records[index];
      if (record) {
        settle(entry, record);
        if (isWatched(entry)) entry.dueAt = Math.min(entry.dueAt, shared.nextCheckAt(round));
      } else if (due.has(entry)) deleted.push(entry);
    }
    await readEntries(await withoutDeleted(deleted, options));
  };

  /** Reads from the gateway. */
  const readEntries = async (due: readonly PollEntry[]): Promise<readonly TaskOutcome[]> => {
    const [first] = due;
    if (!first) return [];
    const read = tasks.readAgain(
      callerOf(first.round) ?? first.caller,
      due.map(({ task }) => task),
    );
    const outcomes = await read.catch((error: unknown) => due.map(() => toError(error)));
    for (const [index, entry] of due.entries()) settle(entry, outcomes[index]);
    return outcomes;
  };

  return {
    schedule,
    wake(round) {
      round.isWoken = true;
      schedule(round);
    },
    close() {
      isClosed = true;
      leases?.close();
      rounds.clear();
    },
  };
}

/** The tasks to read now. Tasks that are due soon join the request that is sent anyway. */
function dueEntries({ entries }: PollRound, now: number): readonly PollEntry[] {
  return [...entries.values()].filter((entry) => entry.dueAt <= now + entry.intervalMs / 2);
}

/** A task whose record was deleted is read only for its watchers. While the records cannot be read, all tasks are. */
async function withoutDeleted(
  due: readonly PollEntry[],
  { tasks, rounds }: Pick<PollScheduleOptions, 'tasks' | 'rounds'>,
): Promise<readonly PollEntry[]> {
  const unwatched = due.filter((entry) => !isWatched(entry));
  const [first] = unwatched;
  if (!first) return due;
  const ids = unwatched.map(({ task }) => task.id);
  const found = await tasks.find(first.round.owner, ids).catch(() => undefined);
  if (!found) return due;
  const deleted = new Set(unwatched.filter((_entry, index) => !('status' in (found[index] ?? {}))));
  for (const entry of deleted) if (!isWatched(entry)) rounds.remove(entry);
  return due.filter((entry) => !deleted.has(entry));
}

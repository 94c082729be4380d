import type { Clock } from '../lib/clock.ts';
import { isWatched, type PollEntry, type PollRound, type PollRounds } from './poll-rounds.ts';
import { createReadBudget } from './read-budget.ts';
import type { TaskOutcome, Tasks } from './tasks.ts';

export interface PollScheduleOptions {
  readonly tasks: Pick<Tasks, 'readAgain'>;
  readonly rounds: PollRounds;
  readonly clock: Clock;
  /** Applies the outcome of a read and sets the time of the next one. */
  readonly settle: (entry: PollEntry, outcome: TaskOutcome) => void;
}

/** Reads each round when one of its tasks is due. */
export interface PollSchedule {
  /** Sets the timer of a round after its entries changed. */
  schedule(round: PollRound): void;
  close(): void;
}

/** Reads per second without a watcher. */
const unwatchedReads = { perOwner: 5, inTotal: 50 };

export function createPollSchedule({ tasks, rounds, clock, settle }: PollScheduleOptions): PollSchedule {
  const budget = createReadBudget({ clock, ...unwatchedReads });
  let isClosed = false;

  const schedule = (round: PollRound): void => {
    if (round.isReserved && ![...round.entries.values()].some(isWatched)) return;
    round.cancelTimer?.();
    round.cancelTimer = undefined;
    round.isReserved = false;
    if (round.entries.size === 0) rounds.drop(round);
    if (round.entries.size === 0 || round.isReading || isClosed) return;
    const dueAt = Math.min(...[...round.entries.values()].map((entry) => entry.dueAt));
    round.cancelTimer = clock.after(Math.max(0, dueAt - clock.elapsed()), () => void readRound(round));
  };

  const readRound = async (round: PollRound): Promise<void> => {
    const due = dueEntries(round, clock.elapsed());
    const waitMs = due.some(isWatched) || round.isReserved ? 0 : budget.reserve(round.owner);
    round.isReserved = waitMs > 0;
    if (waitMs > 0) {
      round.cancelTimer = clock.after(waitMs, () => void readRound(round));
      return;
    }
    round.isReading = true;
    try {
      await readEntries(due);
    } finally {
      round.isReading = false;
      schedule(round);
    }
  };

  const readEntries = async (due: readonly PollEntry[]): Promise<void> => {
    const [first] = due;
    if (!first) return;
    try {
      const outcomes = await tasks.readAgain(
        first.caller,
        due.map(({ task }) => task),
      );
      for (const [index, entry] of due.entries()) settle(entry, outcomes[index]);
    } catch (error) {
      for (const entry of due) settle(entry, error instanceof Error ? error : new Error(String(error)));
    }
  };

  return {
    schedule,
    close() {
      isClosed = true;
      rounds.clear();
    },
  };
}

/** The tasks to read now. Tasks that are due soon join the request that is sent anyway. */
function dueEntries({ entries }: PollRound, now: number): readonly PollEntry[] {
  return [...entries.values()].filter((entry) => entry.dueAt <= now + entry.intervalMs / 2);
}

import type { Clock } from '../lib/clock.ts';
import type { PollRecords } from '../store/poll-records.ts';
import type { PollRound, PollRounds } from './poll-rounds.ts';

export interface HolderWatchOptions {
  readonly polls: Pick<PollRecords, 'findResponsive' | 'findOwners'>;
  readonly rounds: PollRounds;
  readonly clock: Clock;
  readonly random: () => number;
  readonly wake: (round: PollRound) => void;
  /** Dead or frozen instances polled tasks of these owners. */
  readonly onLost: (owners: readonly string[]) => void;
}

/** Spreads the takeover, so that the survivors do not start with a burst of statements. */
const spreadMs = 2000;

/** Detects that an instance died or is frozen. One check covers everything that it polled. */
export function createHolderWatch(options: HolderWatchOptions) {
  const { polls, rounds, clock, random, wake, onLost } = options;
  const timers = new Set<() => void>();
  let known: ReadonlySet<string> = new Set();

  const wakeSoon = (round: PollRound): void => {
    const cancel = clock.after(random() * spreadMs, () => {
      timers.delete(cancel);
      wake(round);
    });
    timers.add(cancel);
  };

  return {
    async check(): Promise<void> {
      const responsive = new Set(await polls.findResponsive());
      const lost = [...known].filter((id) => !responsive.has(id));
      const owners = await polls.findOwners(lost);
      known = responsive;
      for (const round of rounds.all())
        if (round.holder !== undefined && lost.includes(round.holder)) wakeSoon(round);
      if (owners.length > 0) onLost(owners);
    },
    close(): void {
      for (const cancel of timers) cancel();
    },
  };
}

import type { Client } from 'pg';
import type { Store } from '../../src/store/store.ts';
import type { Steps } from './stepped-pool.ts';

/** One instance. The schedule decides when it sends each statement, so it can freeze between any two. */
export interface Party {
  readonly name: string;
  readonly store: Store;
  readonly steps: Steps;
}

/** A program of one party. */
export interface Script {
  readonly party: Party;
  readonly run: () => Promise<unknown>;
}

export interface Schedule {
  readonly random: () => number;
  /** They happen between two statements. */
  readonly events: readonly (() => Promise<unknown>)[];
  /** Called after each statement. */
  readonly observe: () => Promise<void>;
  /** A connection of the test to the same database. */
  readonly client: Client;
}

interface Running {
  readonly party: Party;
  readonly weight: number;
  isOver: boolean;
}

/**
 * Runs the scripts, each of its own party, statement by statement in a random order. Calls `observe` after each. Some parties
 * are much slower than others. `events` happen between two statements.
 */
export async function runInterleaved(
  scripts: readonly Script[],
  { random, events, observe, client }: Schedule,
): Promise<void> {
  const errors: unknown[] = [];
  const running = scripts.map(({ party, run }): Running => {
    party.steps.setFree(false);
    const state: Running = { party, weight: random() ** 3 + 0.01, isOver: false };
    void run()
      .catch((error: unknown) => errors.push(error))
      .finally(() => {
        state.isOver = true;
      });
    return state;
  });
  const due = events.map((happen) => ({ happen, afterSteps: Math.floor(random() * 60) }));
  try {
    for (let steps = 0; ; steps += 1) {
      const waiting = await waitUntilSettled(running, client);
      await observe();
      for (const { happen, afterSteps } of due) if (afterSteps === steps) await happen();
      if (waiting.length === 0) break;
      choose(waiting, random).party.steps.next();
    }
  } finally {
    for (const { party } of running) party.steps.setFree(true);
  }
  if (errors.length > 0) throw errors[0];
}

/** Resolves when every party waits for its turn, waits for a lock of another, or is done. Returns those that wait for their turn. */
async function waitUntilSettled(running: readonly Running[], client: Client): Promise<readonly Running[]> {
  const isReady = ({ isOver, party }: Running): boolean => isOver || party.steps.isWaiting;
  const findWaiting = () => running.filter(({ isOver, party }) => !isOver && party.steps.isWaiting);
  while (!running.every(isReady)) {
    const { rows } = await client.query<{ readonly name: string }>(
      "select application_name as name from pg_stat_activity where wait_event_type = 'Lock'",
    );
    const blocked = new Set(rows.map(({ name }) => name));
    const waiting = findWaiting();
    if (waiting.length > 0 && running.every((each) => isReady(each) || blocked.has(each.party.name)))
      return waiting;
  }
  return findWaiting();
}

function choose(waiting: readonly Running[], random: () => number): Running {
  const total = waiting.reduce((sum, { weight }) => sum + weight, 0);
  let place = random() * total;
  const found = waiting.find(({ weight }) => (place -= weight) <= 0) ?? waiting[0];
  if (!found) throw new Error('nothing waits');
  return found;
}

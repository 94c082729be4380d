import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Client } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createStatementGate, type Pause, type StatementGate } from '../support/paused-pool.ts';
import { openSharedDatabase, type SharedDatabase } from '../support/postgres.ts';
import { cases, type Case, maxRecords, type World } from './interleaved-writes.ts';
import { sharingOf } from '../support/sharing.ts';

/** One side of a race: a store with a gate before each of its statements. */
interface Side {
  readonly store: Store;
  readonly gate: StatementGate;
  readonly name: string;
}

/**
 * Every pair of pauses, as in `npm run test:long`. Otherwise one write is paused at each of its statements while the other
 * runs as far as it can.
 */
const isEveryPair = process.env['INTERLEAVINGS'] === 'all';

let database: SharedDatabase;
let sides: readonly [Side, Side];
/** With and without single statements for the usual writes. */
let quick: readonly [Side, Side];
let slow: readonly [Side, Side];
const clock = createManualClock();

beforeAll(async () => {
  database = await openSharedDatabase();
  const open = async (name: string, hasQuickWrites: boolean): Promise<Side> => {
    const gate = createStatementGate(name);
    const leaseClock = (now = clock.now()) => sql<number>`${now}::bigint`;
    const store = await createPostgresStore({
      url: database.url,
      clock,
      leaseClock,
      recordLimits: { maxRecords, maxBytes: 1e9 },
      hasQuickWrites,
      createPool: gate.createPool,
    });
    return { store, gate, name };
  };
  quick = [await open('left', true), await open('right', true)];
  slow = [await open('left', false), await open('right', false)];
  return async () => {
    for (const { store } of [...quick, ...slow]) await store.close();
    await database.drop();
  };
});

const tables = [
  'creations',
  'generations',
  'contents',
  'tasks',
  'access_tokens',
  'cloned_voices',
  'usage_days',
  'owner_records',
  'secrets',
];

const rowsOf = (table: string): string =>
  `(select json_agg(row order by row::text collate "C") from ${table} as row)`;
const dumpStatement = `select json_build_array(${tables.map(rowsOf).join()})::text as text`;

/** Everything that is recorded, and what the two writes returned. */
type Outcome = string;

async function prepare({ setup }: Case): Promise<World> {
  const [left, right] = sides;
  const emptied = ['instances', ...tables].map((table) => `delete from ${table}`);
  await database.client.query(emptied.join('; '));
  for (const { store, gate } of sides) {
    gate.pauseBefore(-1);
    await sharingOf(store).renewLease();
  }
  const world = { left: left.store, right: right.store, client: database.client };
  await setup(world);
  return world;
}

async function dump(client: Client, results: readonly unknown[]): Promise<Outcome> {
  const { rows } = await client.query<{ readonly text: string }>(dumpStatement);
  const text = JSON.stringify([results, rows[0]?.text]);
  return sides.reduce((dumped, { store, name }) => dumped.replaceAll(store.instanceId, name), text);
}

/** A result, or the name of the error. */
function settleResult(writing: Promise<unknown>): Promise<unknown> {
  return writing.then(
    (value) => value ?? null,
    (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error'),
  );
}

async function runSerially(which: Case, isLeftFirst: boolean): Promise<Outcome> {
  const world = await prepare(which);
  const left = () => settleResult(which.left(world));
  const right = () => settleResult(which.right(world));
  const results = isLeftFirst ? [await left(), await right()] : [await right(), await left()].toReversed();
  return dump(database.client, results);
}

/** Resolves when the side waits for a lock of the other, or with `end`. */
async function waitUntilBlocked(name: string, end: Promise<void>): Promise<void> {
  let isOver = false;
  void end.then(() => (isOver = true));
  for (;;) {
    // Most writes end within this time. A query for the locks costs more than the write.
    await Promise.race([end, setTimeout(2)]);
    if (isOver) return;
    const { rows } = await database.client.query(
      "select 1 from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'",
      [name],
    );
    if (rows.length > 0) return;
  }
}

/** Runs a write until it is paused, blocked by a lock, or done. */
async function advance(side: Side, writing: Promise<unknown>, pause: Pause): Promise<void> {
  const end = Promise.race([writing, pause.reached]).then(() => {});
  await waitUntilBlocked(side.name, end);
}

/** Pauses the left write before one of its statements, runs the right one up to one of its own, and continues both. */
async function runInterleaved(
  which: Case,
  leftAt: number,
  rightAt: number,
): Promise<{ readonly outcome: Outcome; readonly counts: readonly [number, number] }> {
  const [left, right] = sides;
  const world = await prepare(which);
  const leftPause = left.gate.pauseBefore(leftAt);
  const rightPause = right.gate.pauseBefore(rightAt);
  const leftWriting = settleResult(which.left(world));
  await advance(left, leftWriting, leftPause);
  const rightWriting = settleResult(which.right(world));
  await advance(right, rightWriting, rightPause);
  const never: Pause = { reached: new Promise(() => {}), resume: () => {} };
  leftPause.resume();
  await advance(left, leftWriting, never);
  rightPause.resume();
  const results = await Promise.all([leftWriting, rightWriting]);
  return { outcome: await dump(database.client, results), counts: [left.gate.count, right.gate.count] };
}

/** Returns the number of runs. */
async function expectSerializable(which: Case): Promise<number> {
  const allowed = new Set([await runSerially(which, true), await runSerially(which, false)]);
  let longest = { left: 1, right: 1 };
  const wrong: string[] = [];
  let runs = 0;
  for (let leftAt = 0; leftAt <= longest.left; leftAt += 1) {
    // At the end, the right write runs without a pause.
    for (
      let rightAt = isEveryPair || leftAt === 0 ? 0 : longest.right;
      rightAt <= longest.right;
      rightAt += 1
    ) {
      const { outcome, counts } = await runInterleaved(which, leftAt, rightAt);
      runs += 1;
      longest = { left: Math.max(longest.left, counts[0]), right: Math.max(longest.right, counts[1]) };
      if (!allowed.has(outcome)) wrong.push(`${leftAt}/${rightAt}: ${outcome}`);
    }
  }
  expect(wrong, `of ${runs} runs; allowed: ${[...allowed].join('\n')}`).toEqual([]);
  return runs;
}

/** A case has up to hundreds of runs. A test that ended early would disturb the next one. */
const limits = { timeout: 900_000 };

describe('two writes that are interleaved at each statement have the outcome of one order', limits, () => {
  test.for(cases.map((which) => [which.name, which] as const))('%s', async ([, which]) => {
    sides = slow;
    expect(await expectSerializable(which)).toBeGreaterThan(4);
  });
});

describe('writes of one statement have the outcome of one order too', limits, () => {
  /** Cases with another statement: a claim, an acceptance or an end. The others would send the same ones again. */
  const quickCases = cases.filter(({ name }) => /cancel|end a|claim (a|the)|take the claim/.test(name));

  test.for(quickCases.map((which) => [which.name, which] as const))('%s', async ([, which]) => {
    const mixed = [quick[0], slow[1]] as const;
    for (const pair of isEveryPair ? [quick, mixed, [slow[0], quick[1]] as const] : [quick]) {
      sides = pair;
      expect(await expectSerializable(which)).toBeGreaterThan(2);
    }
  });
});

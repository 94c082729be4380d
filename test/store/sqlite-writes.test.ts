import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Tables } from '../../src/store/sql/basics/tables.ts';
import { openConnections } from '../../src/store/sqlite/connections.ts';
import { createLockWait } from '../../src/store/sqlite/lock-wait.ts';
import { createDirectory } from '../support/durable-server.ts';
import { createManualClock } from '../support/manual-clock.ts';

async function open() {
  const path = join(await createDirectory(), 'test.db');
  const { writer, ...connections } = await openConnections({
    path,
    clock: createManualClock(),
    lockWait: createLockWait(),
  });
  onTestFinished(() => connections.close());
  await sql`create table numbers (value integer unique)`.execute(writer);
  const tool = new DatabaseSync(path);
  onTestFinished(() => tool.close());
  /** Counts the commits of the writes. */
  const dataVersion = tool.prepare('pragma data_version');
  const frames = tool.prepare('pragma wal_checkpoint(noop)');
  const insert = (value: number) => async (db: Kysely<Tables>) => {
    await sql`insert into numbers values (${value})`.execute(db);
    return value;
  };
  const values = () =>
    tool
      .prepare('select value from numbers order by rowid')
      .all()
      .map((row) => row['value']);
  return { ...connections, tool, insert, values, frames, dataVersion };
}

test('writes of one turn share a transaction, and each gets its own result', async () => {
  const { writes, insert, values, frames } = await open();
  // A turn ends when its time is over.
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => now.mockRestore());
  const before = Number(frames.get()?.['log']);
  expect(
    await Promise.all([
      writes.transaction(insert(1)),
      writes.statement(insert(2)),
      writes.transaction(insert(3)),
    ]),
  ).toEqual([1, 2, 3]);
  const grown = Number(frames.get()?.['log']) - before;
  await writes.transaction(insert(4));
  // As many pages as one write.
  expect(Number(frames.get()?.['log']) - before).toBe(2 * grown);
  expect(values()).toEqual([1, 2, 3, 4]);
});

test('writes of several turns share a transaction of 40 ms at most, and other work runs in between', async () => {
  const { writes, insert, dataVersion } = await open();
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => now.mockRestore());
  let elapsedMs = 0;
  let turns = 0;
  let isDone = false;
  const countTurn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(countTurn);
  };
  /** Version of the file after each write of 2 ms, and the turn in which it ran. */
  const write = async (value: number) => {
    const turn = await writes.transaction(async (db) => {
      await insert(value)(db);
      now.mockReturnValue((elapsedMs += 2));
      return turns;
    });
    return { turn, version: Number(dataVersion.get()?.['data_version']) };
  };
  countTurn();
  const written = await Promise.all(Array.from({ length: 35 }, (_none, value) => write(value)));
  isDone = true;
  // Three writes in a turn, seven turns in a transaction.
  expect(countRuns(written.map(({ version }) => version))).toEqual([21, 14]);
  const perTurn = countRuns(written.map(({ turn }) => turn));
  expect(perTurn.slice(0, 11)).toEqual([3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]);
});

test('a write of the next turn joins the transaction of one turn', async () => {
  const { writes, insert, dataVersion } = await open();
  const version = () => Number(dataVersion.get()?.['data_version']);
  const later = Promise.withResolvers<number>();
  const first = writes.transaction(async (db) => {
    await insert(1)(db);
    // As the work of another client.
    setImmediate(() => later.resolve(writes.transaction(insert(2)).then(version)));
  });
  expect(await first.then(version)).toBe(await later.promise);
});

test('a turn of writes that takes more than twice its time ends their transaction', async () => {
  const { writes, insert, dataVersion } = await open();
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => now.mockRestore());
  let elapsedMs = 0;
  const write = async (ms: number, index: number): Promise<number> => {
    await writes.transaction(async (db) => {
      await insert(index)(db);
      now.mockReturnValue((elapsedMs += ms));
    });
    return Number(dataVersion.get()?.['data_version']);
  };
  const versions = await Promise.all([2, 2, 11, 2, 11, 2, 2, 6, 2].map(write));
  expect(countRuns(versions)).toEqual([3, 2, 4]);
});

/** Lengths of the runs of equal values. */
function countRuns(values: readonly number[]): readonly number[] {
  const runs: number[] = [];
  for (const [index, value] of values.entries())
    if (value === values[index - 1]) runs.push((runs.pop() ?? 0) + 1);
    else runs.push(1);
  return runs;
}

test('a write that fails changes nothing, and does not fail those of its turn', async () => {
  const { writes, insert, values } = await open();
  await writes.transaction(insert(1));
  const settled = await Promise.allSettled([
    writes.transaction(insert(2)),
    writes.transaction(async (db) => {
      await insert(3)(db);
      return insert(1)(db);
    }),
    writes.transaction(async (db) => {
      await insert(4)(db);
      throw new Error('refused');
    }),
    writes.transaction(insert(5)),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(settled[2]).toMatchObject({ reason: { message: 'refused' } });
  expect(values()).toEqual([1, 2, 5]);
});

test('a write whose deadline passes fails alone, and the others wait on for their lock', async () => {
  const { writes, insert, values, tool } = await open();
  tool.exec('begin immediate');
  const late = writes.transaction(insert(1), performance.now() + 5);
  const patient = writes.transaction(insert(2));
  await expect(late).rejects.toMatchObject({ name: 'RecordsUnavailableError', isLocked: true });
  tool.exec('rollback');
  expect(await patient).toBe(2);
  expect(values()).toEqual([2]);
});

test('a write after the end of the connection fails', async () => {
  const { writes, insert, close } = await open();
  await close();
  await expect(writes.transaction(insert(1))).rejects.toThrow('driver');
});

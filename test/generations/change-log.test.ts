import { expect, onTestFinished, test } from 'vitest';
import { ChangeLog, type Watcher } from '../../src/generations/change-log.ts';
import type { ChangePosition } from '../../src/store/changes.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { owner, record } from '../store/support.ts';

async function open() {
  const records = await createSqliteStore({ directory: ':memory:', clock: createManualClock() });
  onTestFinished(() => records.close());
  const pages: number[] = [];
  const log = new ChangeLog({
    store: {
      ...records,
      listChanges(name, page) {
        pages.push(page.from);
        return records.listChanges(name, page);
      },
    },
    owner,
    retry: () => () => {},
    onEmpty: () => {},
  });
  const join = async (position: ChangePosition): Promise<Watcher> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const watcher = log.add(position, resolve);
    await promise;
    return watcher;
  };
  const takeAll = (watcher: Watcher): number => {
    let count = 0;
    while (log.takeNext(watcher)) count += 1;
    return count;
  };
  return { records, log, join, takeAll, pages };
}

test('changes are kept for a watcher that has not taken them, and forgotten when it leaves', async () => {
  const { records, log, join, takeAll, pages } = await open();
  const start = await records.findLastChange(owner);
  for (let count = 0; count < 3; count += 1) await record(records);
  const [current, slow] = [await join(start), await join(start)];
  expect(takeAll(current)).toBe(3);
  const reads = pages.length;
  const late = await join(start);
  expect(takeAll(late)).toBe(3);
  // The log still has them for the slow one.
  expect(pages.length).toBe(reads);
  log.remove(slow);
  expect(takeAll(await join(start))).toBe(3);
  expect(pages.length).toBe(reads + 1);
});

test('events of very many keys are kept for the last changes only', async () => {
  const { records, log, join } = await open();
  const start = await records.findLastChange(owner);
  for (let count = 0; count < 3; count += 1) await record(records);
  const watcher = await join(start);
  const taken = Array.from({ length: 3 }, () => log.takeNext(watcher));
  const entries = taken.filter((entry) => typeof entry === 'object');
  for (const entry of entries) {
    await log.recordOf(entry);
    for (let key = 0; key < 2000; key += 1) log.keepEvent(entry, String(key), Promise.resolve());
  }
  expect(entries.map(({ events }) => events?.size)).toEqual([undefined, 2000, 2000]);
  expect(entries.map(({ record: kept }) => kept !== undefined)).toEqual([false, true, true]);
});

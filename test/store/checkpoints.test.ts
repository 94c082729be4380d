import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openConnections } from '../../src/store/sqlite/connections.ts';
import { createLockWait } from '../../src/store/sqlite/lock-wait.ts';
import { createDirectory } from '../support/durable-server.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('a large log is moved into the database and starts again while writes go on, and its file is gone after the end', async () => {
  const path = join(await createDirectory(), 'test.db');
  const clock = createManualClock();
  const { writer, writes, close } = await openConnections({ path, clock, lockWait: createLockWait() });
  const tool = new DatabaseSync(path);
  onTestFinished(() => void (tool.isOpen && tool.close()));
  const measure = tool.prepare('pragma wal_checkpoint(noop)');
  const logPages = () => Number(measure.get()?.['log']);
  await sql`create table texts (number integer primary key, body blob)`.execute(writer);
  let written = 0;
  const write = (bytes: number) =>
    writes.transaction((db) =>
      sql`insert into texts values (${(written += 1)}, zeroblob(${bytes}))`.execute(db),
    );
  await write(1_000_000);
  clock.advance(1000);
  // A small log stays.
  expect(logPages()).toBeGreaterThan(200);
  for (let index = 0; index < 17; index += 1) await write(1_000_000);
  const grown = logPages();
  clock.advance(1000);
  await vi.waitFor(
    async () => {
      await write(1);
      clock.advance(1000);
      expect(logPages()).toBeLessThan(grown / 2);
    },
    { timeout: 20_000 },
  );
  tool.close();
  await close();
  expect(existsSync(`${path}-wal`)).toBe(false);
  const reopened = new DatabaseSync(path);
  onTestFinished(() => reopened.close());
  expect(reopened.prepare('select count(*) as count from texts').get()).toEqual({ count: written });
  expect(reopened.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
});

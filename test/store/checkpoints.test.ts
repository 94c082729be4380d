import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createThread } from '../../src/lib/thread.ts';
import type { Checkpoint, CheckpointResult } from '../../src/store/sqlite/checkpoints.ts';
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

test('a log as large as the free space of the disk is moved while the database has room to grow, also after a write that failed', async () => {
  const path = join(await createDirectory(), 'test.db');
  const clock = createManualClock();
  let free = 4_000_000;
  const { writer, writes, close } = await openConnections({
    path,
    clock,
    lockWait: createLockWait(),
    freeBytes: async () => free,
  });
  onTestFinished(close);
  const tool = new DatabaseSync(path);
  onTestFinished(() => tool.close());
  const measure = tool.prepare('pragma wal_checkpoint(noop)');
  const logPages = () => Number(measure.get()?.['log']);
  await sql`create table texts (body blob)`.execute(writer);
  await writes.transaction((db) => sql`insert into texts values (zeroblob(2000000))`.execute(db));
  const grown = logPages();
  expect(grown).toBeGreaterThan(400);
  free = 1_000_000;
  await vi.waitFor(
    async () => {
      await expect(writes.transaction(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
      clock.advance(1000);
      expect(logPages()).toBeLessThan(grown / 2);
    },
    { timeout: 20_000 },
  );
});

describe('the thread of checkpoints', () => {
  /** A database with a log of a few pages. */
  const open = async () => {
    const path = join(await createDirectory(), 'test.db');
    const database = new DatabaseSync(path);
    onTestFinished(() => database.close());
    database.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table texts (body text)');
    const thread = createThread<Checkpoint, CheckpointResult>({
      program: new URL('../../src/store/sqlite/checkpoint-thread.ts', import.meta.url),
      data: path,
    });
    onTestFinished(() => thread.close());
    const measure = () => database.prepare('pragma wal_checkpoint(noop)').get();
    return { path, database, thread, measure };
  };

  test('moves a log that has the pages, and leaves a shorter one as it is', async () => {
    const { thread, measure } = await open();
    const log = Number(measure()?.['log']);
    expect(log).toBeGreaterThan(0);
    expect(await thread.call({ type: 'partial', minPages: log + 1 })).toEqual({ isDone: false });
    expect(measure()).toMatchObject({ log, checkpointed: 0 });
    expect(await thread.call({ type: 'partial', minPages: log })).toEqual({ isDone: true });
    expect(measure()).toMatchObject({ log, checkpointed: log });
  });

  test('starts the log again, unless a reader uses it', async () => {
    const { path, database, thread, measure } = await open();
    const reader = new DatabaseSync(path);
    onTestFinished(() => reader.close());
    reader.exec('begin; select * from texts');
    database.exec("insert into texts values ('a')");
    const log = Number(measure()?.['log']);
    expect(await thread.call({ type: 'restart' })).toEqual({ isDone: false });
    expect(Number(measure()?.['log'])).toBe(log);
    reader.exec('rollback');
    expect(await thread.call({ type: 'restart' })).toEqual({ isDone: true });
    expect(Number(measure()?.['log'])).toBeLessThan(log);
  });
});

import { chmod, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createSystemClock } from '../../src/lib/clock.ts';
import { lockDirectory } from '../../src/store/sqlite/directory-lock.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { createDirectory } from '../support/durable-server.ts';

test('opening waits for another server that is creating the tables', async () => {
  const directory = await createDirectory();
  const other = new DatabaseSync(join(directory, 'gengraph.db'));
  other.exec('begin exclusive');
  const opening = createSqliteStore({ directory, clock: createSystemClock() });
  // The promise settles within this turn only if nothing waits.
  const early = await Promise.race([opening.catch(String), new Promise((resolve) => setImmediate(resolve))]);
  expect(early).toBeUndefined();
  other.exec('commit');
  other.close();
  const store = await opening;
  expect(await store.isReady()).toBe(true);
  await store.close();
});

test('a closed store leaves one file, so that a copy of it is complete', async () => {
  const directory = await createDirectory();
  const store = await createSqliteStore({ directory, clock: createSystemClock() });
  await store.secret();
  await store.close();
  expect((await readdir(directory)).filter((name) => name.startsWith('gengraph.db'))).toEqual([
    'gengraph.db',
  ]);
});

test.each(['server.lock', 'server-next.lock'])(
  'a directory whose %s this user cannot write is refused: its lock would admit a second server',
  async (name) => {
    const directory = await createDirectory();
    const path = join(directory, name);
    await writeFile(path, '');
    await chmod(path, 0o444);
    await chmod(directory, 0o777);
    const isRoot = process.geteuid?.() === 0;
    // Root can write everything. The locks are taken before the function first waits.
    if (isRoot) process.seteuid?.(65_534);
    const locking = lockDirectory({ directory, waitMs: 0, onWait: () => {} });
    if (isRoot) process.seteuid?.(0);
    await expect(locking).rejects.toThrow(`cannot lock ${path}, which this user must be able to write: `);
  },
);

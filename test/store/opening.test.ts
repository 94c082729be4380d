import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createSystemClock } from '../../src/lib/clock.ts';
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

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Tables } from '../../src/store/sql/basics/tables.ts';
import { findDeletable } from '../../src/store/sql/maintenance/deletable.ts';
import { createSqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { createDirectory } from '../support/durable-server.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { noneAbandoned, owner, record } from './support.ts';
import { continueRecord } from './threads.conformance.ts';

/** Three conversations of three turns each, the least recently used first. */
async function start() {
  const directory = await createDirectory();
  const store = await createSqliteStore({ directory, clock: createManualClock() });
  onTestFinished(() => store.close());
  const conversations: string[][] = [];
  for (const start of [100, 200, 300]) {
    const first = await record(store, { createdAt: start, finishedAt: start + 1 });
    const second = await continueRecord(store, first, { finishedAt: start + 2 });
    const third = await continueRecord(store, second, { finishedAt: start + 3 });
    conversations.push([third.id, second.id, first.id]);
  }
  const database = new DatabaseSync(join(directory, 'gengraph.db'));
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(database) });
  onTestFinished(() => db.destroy());
  const find = async (limit: number, keptRootId?: string) =>
    (await findDeletable(db, { owner, abandonment: noneAbandoned, keptRootId, limit })).map((unit) =>
      unit.map(({ id }) => id),
    );
  return { conversations, find };
}

test('conversations are found whole, the least recently used first, each with its last end first', async () => {
  const { conversations, find } = await start();
  expect(await find(100)).toEqual(conversations);
});

test('no further conversation is read at the limit, and one that is longer loses its newest first', async () => {
  const { conversations, find } = await start();
  expect(await find(4)).toEqual(conversations.slice(0, 2));
  expect(await find(3)).toEqual(conversations.slice(0, 1));
  expect(await find(2)).toEqual([conversations[0]?.slice(0, 2)]);
});

test('a conversation that is being continued is left out', async () => {
  const { conversations, find } = await start();
  const [oldest, ...others] = conversations;
  expect(await find(100, oldest?.at(-1))).toEqual(others);
});

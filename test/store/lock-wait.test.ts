import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { createSystemClock } from '../../src/lib/clock.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { createDirectory } from '../support/durable-server.ts';
import { buildCreation, buildGeneration, owner, record } from './support.ts';

const lockWaitMs = 1000;

async function open() {
  const directory = await createDirectory();
  const store = await createSqliteStore({ directory, clock: createSystemClock(), lockWaitMs });
  onTestFinished(() => store.close());
  const tool = new DatabaseSync(join(directory, 'gengraph.db'));
  onTestFinished(() => tool.close());
  return { store, tool };
}

test('reads do not wait for a write that waits for its lock, and see every completed write', async () => {
  const { store, tool } = await open();
  await store.secret();
  const generation = await record(store);
  tool.exec('begin immediate');
  const writing = store.release('creation_unknown');
  let refusal: unknown;
  const refused = writing.catch((error: unknown) => (refusal = error));
  expect(await store.findGenerations(owner, [generation.id])).toEqual([generation]);
  expect(await store.listGenerations(owner, {}, { limit: 1 })).toMatchObject([{ id: generation.id }]);
  expect(await store.countGenerations(owner, {}, 2)).toBe(1);
  expect(await store.sumUsage(owner, { fromDay: 0, toDay: 0, groupBy: [], limit: 1 })).toHaveLength(1);
  expect(await store.findCreation(owner, 'k')).toBeUndefined();
  expect(await store.findTasks(owner, ['task_1'])).toEqual([undefined]);
  expect(await store.findUnfinishedTasks(owner, { createdAfter: 0, skippedKinds: [], limit: 1 })).toEqual([]);
  expect(await store.findEnded([generation.id])).toEqual([generation.id]);
  expect(await store.hasClonedVoice(owner, 'v')).toBe(false);
  expect(await store.findAccessTokens(owner, ['token_1'])).toEqual([undefined]);
  expect(await store.listAccessTokens(owner, { limit: 1 })).toEqual([]);
  expect(await store.countAccessTokens(owner, 1)).toBe(0);
  expect(await store.secret()).toHaveLength(32);
  expect(refusal).toBeUndefined();
  await refused;
  expect(String(refusal)).toContain('another process holds the write lock');
});

test('writes that share a deadline wait for the lock once', async () => {
  const { store, tool } = await open();
  await store.secret();
  tool.exec('begin immediate');
  const startedAt = performance.now();
  const deadline = store.createDeadline();
  const claim = (options: { readonly deadline: number }) => {
    const generation = buildGeneration();
    return store.claim(buildCreation(generation.id), generation, options);
  };
  const writes = 9;
  for (let write = 0; write < writes; write += 1)
    await expect(claim({ deadline })).rejects.toMatchObject({ name: 'RecordsUnavailableError' });
  expect(performance.now() - startedAt).toBeLessThan(writes * lockWaitMs);
  tool.exec('rollback');
  expect(await claim({ deadline: store.createDeadline() })).toBeUndefined();
});

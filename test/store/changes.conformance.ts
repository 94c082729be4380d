import { describe, expect, test } from 'vitest';
import type { RecordedChange } from '../../src/store/changes.ts';
import type { Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expireFirst, openPair } from './instance-pairs.ts';
import type { Backend } from './store.conformance.ts';
import {
  buildCreation,
  buildGeneration,
  buildTask,
  noneAbandoned,
  other,
  owner,
  record,
  recoverAll,
} from './support.ts';

const limit = 1000;

/** The generations that a write changes, each once. */
async function changedBy(store: Store, write: () => Promise<unknown>): Promise<readonly string[]> {
  const before = await store.findLastChange(owner);
  await write();
  const changes = await store.listChanges(owner, { from: before.number + 1, limit });
  const last = await store.findLastChange(owner);
  expect(changes.map(({ number }) => number)).toEqual(
    Array.from({ length: last.number - before.number }, (_none, index) => before.number + 1 + index),
  );
  return [...new Set(changes.map(({ generationId }) => generationId))];
}

export function changeConformance(backend: Backend): void {
  const open = async (options = {}) =>
    (await backend.createLocation()).open({ clock: createManualClock(), ...options });

  test('every write that clients can see is a change', async () => {
    const store = await open();
    const generation = buildGeneration({ isVisible: false });
    const creation = buildCreation(generation.id);
    expect(await changedBy(store, () => store.claim(creation, generation))).toEqual([]);
    const settlement = { phase: 'SETTLED', generation: { isVisible: true } } as const;
    expect(await changedBy(store, () => store.settle(creation.id, settlement))).toEqual([generation.id]);
    expect(
      await changedBy(store, () => store.saveOutput(generation.id, { type: 'chat-completion' })),
    ).toEqual([]);
    const end = { status: 'SUCCEEDED', finishedAt: 3000 } as const;
    expect(await changedBy(store, () => store.endGeneration(generation.id, end))).toEqual([generation.id]);
    const late = { ...end, output: { type: 'chat-completion' } } as const;
    expect(await changedBy(store, () => store.endGeneration(generation.id, late))).toEqual([generation.id]);
    expect(await changedBy(store, () => store.deleteGenerations(owner, [generation.id]))).toEqual([
      generation.id,
    ]);
  });

  test('every reading of a task is a change of its generation, also of the same size', async () => {
    const store = await open();
    const generation = buildGeneration({ taskId: 'task_1', isVisible: false, status: 'QUEUED' });
    const creation = buildCreation(generation.id);
    const task = buildTask({ generationId: generation.id });
    await store.claim(creation, generation);
    const settlement = { phase: 'SETTLED', generation: { isVisible: true }, task } as const;
    expect(await changedBy(store, () => store.settle(creation.id, settlement))).toEqual([generation.id]);
    for (const progress of [10, 20])
      expect(await changedBy(store, () => store.saveTask({ ...task, progress }))).toEqual([generation.id]);
    const end = { status: 'SUCCEEDED', finishedAt: 3000 } as const;
    const ended = { ...task, status: 'SUCCEEDED' } as const;
    expect(await changedBy(store, () => store.saveTask(ended, end))).toEqual([generation.id]);
  });

  test('deletions by age, at a limit and by a release are changes', async () => {
    const store = await open({ recordLimits: { maxRecords: 2, maxBytes: 1e9 } });
    const [oldest, newer] = [await record(store), await record(store, { finishedAt: 2500 })];
    expect(await changedBy(store, () => store.makeRoom(owner, { abandonment: noneAbandoned }))).toEqual([
      oldest.id,
    ]);
    const expiry = { ...noneAbandoned, keysBefore: 0, generationsBefore: 3000, limit: 100 };
    expect(await changedBy(store, () => store.sweep(expiry))).toEqual([newer.id]);
    const visible = buildGeneration();
    const creation = buildCreation(visible.id);
    expect(await changedBy(store, () => store.claim(creation, visible))).toEqual([visible.id]);
    expect(await changedBy(store, () => store.release(creation.id))).toEqual([visible.id]);
  });

  test('changes of other owners are not listed', async () => {
    const store = await open();
    const theirs = await record(store, { owner: other });
    const mine = await record(store);
    const idsOf = async (name: string) =>
      (await store.listChanges(name, { from: 0, limit })).map(({ generationId }) => generationId);
    expect(new Set(await idsOf(owner))).toEqual(new Set([mine.id]));
    expect(new Set(await idsOf(other))).toEqual(new Set([theirs.id]));
    expect(await store.findLastChange('nobody')).toEqual({ number: 0, mark: 0 });
    expect(await store.listChanges('nobody', { from: 0, limit })).toEqual([]);
  });

  test('old changes are deleted in batches, and the last position stays known', async () => {
    const store = await open();
    for (let count = 0; count < 5; count += 1) await record(store);
    const last = await store.findLastChange(owner);
    const expiry = { ...noneAbandoned, keysBefore: 0, limit: 3 };
    expect((await store.sweep({ ...expiry, changesBefore: 1 })).deleted).toBe(0);
    const later = Date.now() + 60_000;
    let deleted = 0;
    while (deleted < last.number) deleted += (await store.sweep({ ...expiry, changesBefore: later })).deleted;
    expect(deleted).toBe(last.number);
    expect(await store.listChanges(owner, { from: 0, limit })).toEqual([]);
    expect(await store.findLastChange(owner)).toEqual(last);
  });

  if (!backend.isShared) return;
  describe('of several instances', () => {
    test('are numbered without a gap, and a reader that follows them skips none', async () => {
      const { first, second } = await openPair(backend);
      const generations = await Promise.all(
        Array.from({ length: 6 }, (_none, index) =>
          record(index % 2 ? first : second, {
            taskId: `task_${index}`,
            finishedAt: undefined,
            status: 'QUEUED',
          }),
        ),
      );
      const seen: RecordedChange[] = [];
      let isWriting = true;
      const read = async (): Promise<void> => {
        const from = (seen.at(-1)?.number ?? 0) + 1;
        seen.push(...(await first.listChanges(owner, { from, limit: 7 })));
      };
      const reading = (async () => {
        while (isWriting) await read();
      })();
      const written = generations.map(async ({ id }, index) => {
        for (let turn = 0; turn < 8; turn += 1) {
          const task = buildTask({ id: `task_${index}`, generationId: id, progress: turn });
          await (turn % 2 ? first : second).saveTask(task, { status: 'RUNNING' });
        }
      });
      await Promise.all(written);
      isWriting = false;
      await reading;
      const last = await second.findLastChange(owner);
      while ((seen.at(-1)?.number ?? 0) < last.number) await read();
      expect(seen.map(({ number }) => number)).toEqual(seen.map((_change, index) => index + 1));
      expect(seen).toEqual(await second.listChanges(owner, { from: 0, limit }));
      expect(new Set(seen.map(({ generationId }) => generationId))).toEqual(
        new Set(generations.map(({ id }) => id)),
      );
    });

    test('include the work of a dead instance that another one settles', async () => {
      const pair = await openPair(backend);
      const { first, second } = pair;
      const generation = buildGeneration();
      const creation = buildCreation(generation.id);
      await first.claim(creation, generation);
      await first.settle(creation.id, { phase: 'SETTLED' });
      await expireFirst(pair);
      expect(await changedBy(second, () => recoverAll(second))).toEqual([generation.id]);
    });
  });
}

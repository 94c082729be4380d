import { expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import type { Backend } from './store.conformance.ts';
import { buildCreation, buildGeneration, buildTask, noneAbandoned, other, owner, record } from './support.ts';

const nothing = { ...noneAbandoned, keysBefore: 0, generationsBefore: undefined, limit: 100 };

/** A generation whose create has a key. */
async function recordWithKey(store: Store, key: string, members: Parameters<typeof buildGeneration>[0] = {}) {
  const generation = buildGeneration({ finishedAt: 2000, status: 'SUCCEEDED', ...members });
  const creation = buildCreation(generation.id, { key, createdAt: generation.createdAt });
  await store.claim(creation, generation);
  await store.settle(creation.id, { phase: 'SETTLED' });
  return generation;
}

export function expiryConformance({ createLocation }: Backend): void {
  const open = async () => (await createLocation()).open({ clock: createManualClock() });

  test('a forgotten generation is deleted with its dependent records, for its owner only', async () => {
    const store = await open();
    const mine = await recordWithKey(store, 'k', { taskId: 'task_1' });
    await store.saveTask(buildTask({ generationId: mine.id }), {});
    const theirs = await record(store, { owner: other });
    const ids = [mine.id, theirs.id, 'generation_none', mine.id, 'ü'];
    expect(await store.deleteGenerations(owner, ids)).toEqual([mine.id]);
    expect(await store.findGenerations(owner, [mine.id])).toEqual([undefined]);
    expect(await store.findTasks(owner, ['task_1'])).toEqual([undefined]);
    // Its key stays, so that a late retry is not sent.
    expect(await store.findCreation(owner, 'k')).toMatchObject({ phase: 'SETTLED', subjectId: mine.id });
    expect(await store.findGenerations(other, [theirs.id])).toEqual([theirs]);
    expect(await store.deleteGenerations(owner, [])).toEqual([]);
  });

  test('a task read in flight does not restore a forgotten generation', async () => {
    const store = await open();
    const { id } = await record(store, { taskId: 'task_1', finishedAt: undefined });
    await store.deleteGenerations(owner, [id]);
    const { generation } = await store.saveTask(buildTask({ generationId: id }), { status: 'RUNNING' });
    expect(generation).toBeUndefined();
    expect(await store.findTasks(owner, ['task_1'])).toEqual([undefined]);
  });

  test('records that an instance works on are not deleted', async () => {
    const store = await open();
    const running = await recordWithKey(store, 'k', {
      finishedAt: undefined,
      status: 'RUNNING',
      createdAt: 1,
    });
    expect(await store.deleteGenerations(owner, [running.id])).toEqual([]);
    const all = {
      keysBefore: 1e12,
      generationsBefore: 1e12,
      canRead: () => false,
      followedAfter: 1e12,
      limit: 100,
    } as const;
    expect((await store.sweep(all)).deleted).toBe(0);
    expect(await store.findGenerations(owner, [running.id])).toEqual([running]);
    await store.endGeneration(running.id, { finishedAt: 5, status: 'SUCCEEDED' });
    expect(await store.deleteGenerations(owner, [running.id])).toEqual([running.id]);
  });

  test('expired keys are deleted before their generations and can be claimed again', async () => {
    const store = await open();
    const [old, recent] = [
      await recordWithKey(store, 'old', { createdAt: 1000 }),
      await recordWithKey(store, 'recent', { createdAt: 2000 }),
    ];
    expect((await store.sweep({ ...nothing, keysBefore: 1500 })).deleted).toBe(1);
    expect(await store.findCreation(owner, 'old')).toBeUndefined();
    expect(await store.findCreation(owner, 'recent')).toMatchObject({ subjectId: recent.id });
    expect(await store.findGenerations(owner, [old.id, recent.id])).toEqual([old, recent]);
  });

  test('refused creates expire by the time of their refusal, before other keys', async () => {
    const store = await open();
    const kept = await recordWithKey(store, 'kept', { createdAt: 1000 });
    const failure = { code: 'RATE_LIMITED', message: 'not now' };
    for (const [key, at] of [
      ['old', 2000],
      ['recent', 3000],
    ] as const) {
      const creation = buildCreation('generation_x', { key });
      await store.claim(creation);
      await store.release(creation.id, { refusal: { failure, at, keepsKey: true } });
    }
    expect((await store.sweep({ ...nothing, refusedBefore: 2500 })).deleted).toBe(1);
    expect(await store.findCreation(owner, 'old')).toBeUndefined();
    expect(await store.findCreation(owner, 'recent')).toMatchObject({ failure });
    expect(await store.findCreation(owner, 'kept')).toMatchObject({ subjectId: kept.id });
  });

  test('generations expire by their end, tasks created elsewhere by their last change', async () => {
    const store = await open();
    const [old, recent, open_] = [
      await record(store, { finishedAt: 1000 }),
      await record(store, { finishedAt: 3000 }),
      await record(store, { finishedAt: undefined, kind: 'SONG', taskId: 'task_3' }),
    ];
    await store.saveTask(buildTask({ id: 'task_1', updatedAt: 1000 }));
    await store.saveTask(buildTask({ id: 'task_2', updatedAt: 3000 }));
    expect(await store.sweep({ ...nothing, generationsBefore: 2000 })).toEqual({
      deleted: 2,
      generations: [{ id: old.id, owner }],
    });
    expect(await store.findGenerations(owner, [old.id, recent.id, open_.id])).toEqual([
      undefined,
      recent,
      open_,
    ]);
    expect(await store.findTasks(owner, ['task_1', 'task_2'])).toMatchObject([undefined, { id: 'task_2' }]);
  });

  test('tasks that cannot be read expire by their creation, also behind a batch of others', async () => {
    const store = await open();
    const members = { finishedAt: undefined, taskId: 'task_1', createdAt: 1000, openTask: {} };
    const [song, animation] = [
      await record(store, { ...members, kind: 'SONG', createdAt: 999 }),
      await record(store, { ...members, kind: 'ANIMATION', taskId: 'task_2', openTask: {} }),
    ];
    const canRead = (kind: string) => kind !== 'ANIMATION';
    const expiry = { ...nothing, generationsBefore: 2000, canRead, limit: 1 };
    expect(await store.sweep(expiry)).toEqual({ deleted: 1, generations: [{ id: animation.id, owner }] });
    expect(await store.findGenerations(owner, [song.id, animation.id])).toEqual([song, undefined]);
  });

  test('expired records are deleted in small batches', async () => {
    const store = await open();
    for (let index = 0; index < 25; index += 1) await record(store, { finishedAt: 1000 + index });
    const expiry = { ...nothing, generationsBefore: 5000, limit: 10 };
    const counts = [];
    for (let turn = 0; turn < 4; turn += 1) counts.push((await store.sweep(expiry)).deleted);
    expect(counts).toEqual([10, 10, 5, 0]);
  });
}

import { expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import type { Backend } from './store.conformance.ts';
import { aCreation, aGeneration, aTask, other, owner, record } from './support.ts';

const nothing = { keysBefore: 0, generationsBefore: undefined, endlessKinds: [], limit: 100 };

/** A generation whose create has a key. */
async function recordWithKey(store: Store, key: string, members: Parameters<typeof aGeneration>[0] = {}) {
  const generation = aGeneration({ finishedAt: 2000, status: 'SUCCEEDED', ...members });
  const creation = aCreation(generation.id, { key, createdAt: generation.createdAt });
  await store.claim(creation, generation);
  await store.settle(creation.id, { phase: 'SETTLED' });
  return generation;
}

export function expiryConformance({ createPlace }: Backend): void {
  const open = async () => (await createPlace()).open({ clock: createManualClock() });

  test('goes with everything that hangs on it, and only its own', async () => {
    const store = await open();
    const mine = await recordWithKey(store, 'k', { taskId: 'task_1' });
    await store.saveTask(aTask({ generationId: mine.id }), {});
    const theirs = await record(store, { owner: other });
    const ids = [mine.id, theirs.id, 'generation_none', mine.id, 'ü'];
    expect(await store.forgetGenerations(owner, ids)).toEqual([mine.id]);
    expect(await store.findGenerations(owner, [mine.id])).toEqual([undefined]);
    expect(await store.findTasks(owner, ['task_1'])).toEqual([undefined]);
    expect(await store.findCreation(owner, 'k')).toBeUndefined();
    expect(await store.findGenerations(other, [theirs.id])).toEqual([theirs]);
    expect(await store.forgetGenerations(owner, [])).toEqual([]);
  });

  test('is not put back by a task that was being read meanwhile', async () => {
    const store = await open();
    const { id } = await record(store, { taskId: 'task_1', finishedAt: undefined });
    await store.forgetGenerations(owner, [id]);
    const { generation } = await store.saveTask(aTask({ generationId: id }), { status: 'RUNNING' });
    expect(generation).toBeUndefined();
    expect(await store.findTasks(owner, ['task_1'])).toEqual([undefined]);
  });

  test('is never what an instance works on', async () => {
    const store = await open();
    const running = await recordWithKey(store, 'k', {
      finishedAt: undefined,
      status: 'RUNNING',
      createdAt: 1,
    });
    expect(await store.forgetGenerations(owner, [running.id])).toEqual([]);
    const all = { keysBefore: 1e12, generationsBefore: 1e12, endlessKinds: ['CHAT'], limit: 100 } as const;
    expect(await store.sweep(all)).toBe(0);
    expect(await store.findGenerations(owner, [running.id])).toEqual([running]);
    await store.endGeneration(running.id, { finishedAt: 5, status: 'SUCCEEDED' });
    expect(await store.forgetGenerations(owner, [running.id])).toEqual([running.id]);
  });

  test('by age: keys go before their generations, and are free then', async () => {
    const store = await open();
    const [old, recent] = [
      await recordWithKey(store, 'old', { createdAt: 1000 }),
      await recordWithKey(store, 'recent', { createdAt: 2000 }),
    ];
    expect(await store.sweep({ ...nothing, keysBefore: 1500 })).toBe(1);
    expect(await store.findCreation(owner, 'old')).toBeUndefined();
    expect(await store.findCreation(owner, 'recent')).toMatchObject({ subjectId: recent.id });
    expect(await store.findGenerations(owner, [old.id, recent.id])).toEqual([old, recent]);
  });

  test('by age: generations go by their end, tasks nobody made here by their last change', async () => {
    const store = await open();
    const [old, recent, open_] = [
      await record(store, { finishedAt: 1000 }),
      await record(store, { finishedAt: 3000 }),
      await record(store, { finishedAt: undefined, kind: 'SONG', taskId: 'task_3' }),
    ];
    await store.saveTask(aTask({ id: 'task_1', updatedAt: 1000 }));
    await store.saveTask(aTask({ id: 'task_2', updatedAt: 3000 }));
    expect(await store.sweep({ ...nothing, generationsBefore: 2000 })).toBe(2);
    expect(await store.findGenerations(owner, [old.id, recent.id, open_.id])).toEqual([
      undefined,
      recent,
      open_,
    ]);
    expect(await store.findTasks(owner, ['task_1', 'task_2'])).toMatchObject([undefined, { id: 'task_2' }]);
  });

  test('by age: work whose end never shows goes by its creation', async () => {
    const store = await open();
    const members = { finishedAt: undefined, taskId: 'task_1', createdAt: 1000 };
    const [song, animation] = [
      await record(store, { ...members, kind: 'SONG' }),
      await record(store, { ...members, kind: 'ANIMATION', taskId: 'task_2' }),
    ];
    const expiry = { ...nothing, generationsBefore: 2000, endlessKinds: ['ANIMATION'] } as const;
    expect(await store.sweep(expiry)).toBe(1);
    expect(await store.findGenerations(owner, [song.id, animation.id])).toEqual([song, undefined]);
  });

  test('goes in small batches', async () => {
    const store = await open();
    for (let index = 0; index < 25; index += 1) await record(store, { finishedAt: 1000 + index });
    const expiry = { ...nothing, generationsBefore: 5000, limit: 10 };
    const counts = [];
    for (let turn = 0; turn < 4; turn += 1) counts.push(await store.sweep(expiry));
    expect(counts).toEqual([10, 10, 5, 0]);
  });
}

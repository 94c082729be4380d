import { expect, test } from 'vitest';
import { RecordsFullError } from '../../src/errors.ts';
import { stringifyJson } from '../../src/lib/json.ts';
import type { Generation } from '../../src/store/records.ts';
import type { RecordLimits, Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { seeds } from '../support/seeds.ts';
import { runRandomRecords } from './random-records.ts';
import type { Backend } from './store.conformance.ts';
import { compareSums } from './usage.conformance.ts';
import {
  buildCreation,
  buildGeneration,
  buildTask,
  inBatches,
  noneAbandoned,
  other,
  owner,
  record,
} from './support.ts';

const unlimited = 1e12;

function sizeOf({ prompt, input, output, raw, usage, error }: Generation): number {
  return [prompt, input, output, raw, usage, error]
    .filter((value) => value !== undefined)
    .reduce<number>((sum, value) => sum + Buffer.byteLength(stringifyJson(value)), 0);
}

/** The number and size of these generations and their tasks, as recorded. */
async function measure(store: Store, generations: readonly Generation[]) {
  const found = await store.findGenerations(
    owner,
    generations.map(({ id }) => id),
  );
  const live = found.filter((generation) => generation !== undefined);
  // A task that was recorded without its settlement has this id. Without its create, it belongs to no generation.
  const taskIds = live.map(({ id, taskId = `task_${id}` }) => taskId);
  const tasks = await store.findTasks(owner, taskIds);
  const owned = taskIds.filter((_id, index) => tasks[index]?.generationId !== undefined);
  const sizes = [...live.map(sizeOf), ...(await store.measureTasks(owner, owned))];
  return { records: live.length, bytes: sizes.reduce<number>((sum, size = 0) => sum + size, 0) };
}

async function claim(store: Store, members: Partial<Generation> = {}): Promise<Generation> {
  const generation = buildGeneration(members);
  const key = `client:${generation.id}`;
  await store.claim(buildCreation(generation.id, { key, owner: generation.owner }), generation);
  return generation;
}

export function recordLimitsConformance(backend: Backend): void {
  const open = async (recordLimits: Partial<RecordLimits> = {}) => {
    const limits = { maxRecords: unlimited, maxBytes: unlimited, ...recordLimits };
    return (await backend.createLocation()).open({ clock: createManualClock(), recordLimits: limits });
  };

  test('without limits there is room, and nothing is deleted', async () => {
    const store = await (await backend.createLocation()).open({ clock: createManualClock() });
    const { id } = await record(store);
    expect(await store.makeRoom(owner, { abandonment: noneAbandoned })).toEqual({
      hasRoom: true,
      generations: [],
    });
    expect(await store.findGenerations(owner, [id])).toMatchObject([{ id }]);
  });

  test('a generation counts with its contents and its task until it is deleted', async () => {
    const store = await open();
    const generation = await claim(store, { prompt: 'é', taskId: 'task_1' });
    const counts = async () => [await store.measureRecords(owner), await measure(store, [generation])];
    const [first] = await counts();
    expect(first).toEqual({ records: 1, bytes: sizeOf(generation) });
    await store.saveTask(buildTask({ generationId: generation.id, logs: 'x'.repeat(500) }), {});
    await store.endGeneration(generation.id, { finishedAt: 5, output: { type: 'x' }, raw: ['y'] });
    await store.endGeneration(generation.id, { raw: 'a later reply', output: undefined });
    const [counted, measured] = await counts();
    expect(counted).toEqual(measured);
    expect(counted?.bytes).toBeGreaterThan(550);
    await store.deleteGenerations(owner, [generation.id]);
    expect(await store.measureRecords(owner)).toEqual({ records: 0, bytes: 0 });
    expect(await store.measureRecords('nobody')).toEqual({ records: 0, bytes: 0 });
  });

  test('an end without output counts the output that was saved', async () => {
    const store = await open();
    const generation = await claim(store);
    await store.saveOutput(generation.id, { type: 'x'.repeat(500) });
    await store.endGeneration(generation.id, { status: 'CANCELED', finishedAt: 5 });
    expect(await store.measureRecords(owner)).toEqual(await measure(store, [generation]));
  });

  test('an owner at the limit gets no further generation, and nothing is written', async () => {
    const store = await open({ maxRecords: 2 });
    for (let index = 0; index < 2; index += 1) await claim(store);
    const refused = buildGeneration();
    const creation = buildCreation(refused.id, { key: 'client:refused' });
    await expect(store.claim(creation, refused)).rejects.toThrow(RecordsFullError);
    expect(await store.findCreation(owner, 'client:refused')).toBeUndefined();
    expect(await store.findGenerations(owner, [refused.id])).toEqual([undefined]);
    expect(await store.measureRecords(owner)).toMatchObject({ records: 2 });
    expect((await store.makeRoom(owner, { abandonment: noneAbandoned })).hasRoom).toBe(false);
    await claim(store, { owner: other });
    // A token takes no room.
    expect(await store.claim(buildCreation('token_1', { key: 'client:t' }))).toBeUndefined();
  });

  test('a duplicate finds its create at the limit', async () => {
    const store = await open({ maxRecords: 1 });
    const { id } = await claim(store);
    const duplicate = buildCreation('x', { key: `client:${id}` });
    expect(await store.claim(duplicate, buildGeneration())).toMatchObject({ subjectId: id });
  });

  test('room is made by deleting what ended first, without its key', async () => {
    const store = await open({ maxRecords: 3 });
    const generations = [await claim(store), await claim(store), await claim(store)];
    const [first, second, third] = generations;
    if (!first || !second || !third) throw new Error('three were created');
    for (const [finishedAt, { id }] of [
      [20, first],
      [10, second],
    ] as const)
      await store.endGeneration(id, { finishedAt, status: 'SUCCEEDED' });
    const removed = { hasRoom: true, generations: [{ id: second.id, owner }] };
    expect(await store.makeRoom(owner, { abandonment: noneAbandoned })).toEqual(removed);
    expect(await store.makeRoom(owner, { abandonment: noneAbandoned })).toEqual({
      hasRoom: true,
      generations: [],
    });
    expect(await measure(store, generations)).toMatchObject({ records: 2 });
    expect(await store.findCreation(owner, `client:${second.id}`)).toMatchObject({ subjectId: second.id });
    await claim(store);
    expect(await store.makeRoom(owner, { abandonment: noneAbandoned })).toMatchObject({
      generations: [{ id: first.id }],
    });
    expect(await store.findGenerations(owner, [third.id])).toMatchObject([{ id: third.id }]);
  });

  test('bytes are limited too: the create that reaches the limit is the last one', async () => {
    const store = await open({ maxBytes: 10_000 });
    const old = await record(store, { finishedAt: 10, prompt: 'x'.repeat(6000) });
    const large = await record(store, { finishedAt: 20, prompt: 'x'.repeat(6000) });
    await expect(claim(store)).rejects.toThrow(RecordsFullError);
    expect((await store.makeRoom(owner, { abandonment: noneAbandoned })).generations).toEqual([
      { id: old.id, owner },
    ]);
    await claim(store);
    expect(await store.findGenerations(owner, [large.id])).toMatchObject([{ id: large.id }]);
  });

  test('tasks that are abandoned make room, tasks that are followed do not', async () => {
    const store = await open({ maxRecords: 3 });
    const task = { finishedAt: undefined, status: 'QUEUED', openTask: {} } as const;
    const followed = await record(store, { ...task, kind: 'SONG', taskId: 'task_1', createdAt: 30 });
    const old = await record(store, { ...task, kind: 'SONG', taskId: 'task_2', createdAt: 10 });
    const unreadable = await record(store, { ...task, kind: 'ANIMATION', taskId: 'task_3', createdAt: 40 });
    const canRead = (kind: string) => kind !== 'ANIMATION';
    const removed: string[] = [];
    for (const followedAfter of [0, 20, 20]) {
      const room = await store.makeRoom(owner, { abandonment: { canRead, followedAfter } });
      removed.push(...room.generations.map(({ id }) => id));
      if (room.hasRoom) await claim(store);
    }
    expect(removed).toEqual([unreadable.id, old.id]);
    expect(await store.findGenerations(owner, [followed.id])).toMatchObject([{ id: followed.id }]);
  });

  test('of the tasks that were created elsewhere, the last 1,000 are kept', async () => {
    const store = await open();
    const save = (index: number, of = owner) =>
      store.saveTask(buildTask({ id: `task_${index}`, owner: of, updatedAt: index }));
    await save(0, other);
    const { id } = await record(store, { kind: 'SONG', taskId: 'task_own' });
    await store.saveTask(buildTask({ id: 'task_own', generationId: id, updatedAt: 0 }), {});
    await inBatches(1002, (index) => save(index + 1));
    const found = await store.findTasks(owner, ['task_2', 'task_3', 'task_1002', 'task_own']);
    expect(found.map((task) => task?.id)).toEqual([undefined, 'task_3', 'task_1002', 'task_own']);
    expect(await store.findTasks(other, ['task_0'])).toMatchObject([{ id: 'task_0' }]);
  });

  test('concurrent creates do not exceed the limit', async () => {
    const store = await open({ maxRecords: 5 });
    const creates = await Promise.allSettled(Array.from({ length: 20 }, () => claim(store)));
    expect(creates.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await store.measureRecords(owner)).toMatchObject({ records: 5 });
  });

  test.each(seeds(2))(
    'random creates, ends, task reads, deletions and crashes are counted, and summed as usage (seed %i)',
    async (seed) => {
      const location = await backend.createLocation();
      const { store, snapshots } = await runRandomRecords({ location, isShared: backend.isShared, seed });
      const measured = await measure(store, snapshots);
      expect(measured.records).toBeGreaterThan(5);
      expect(await store.measureRecords(owner)).toEqual(measured);
      await compareSums(store, snapshots);
    },
  );

  // An instance without limits creates the records.
  if (!backend.isShared) return;
  test('a hundredth more than needed is deleted, and at most 200 at once', async () => {
    const location = await backend.createLocation();
    const clock = createManualClock();
    const unlimitedStore = await location.open({ clock });
    await inBatches(450, () => record(unlimitedStore));
    const store = await location.open({ clock, recordLimits: { maxRecords: 200, maxBytes: unlimited } });
    const counts: number[] = [];
    for (let turn = 0; turn < 3; turn += 1)
      counts.push((await store.makeRoom(owner, { abandonment: noneAbandoned })).generations.length);
    expect(counts).toEqual([200, 53, 0]);
  });
}

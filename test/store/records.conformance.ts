import { expect, test } from 'vitest';
import type { Generation } from '../../src/store/records.ts';
import { createManualClock } from '../support/manual-clock.ts';
import type { Backend } from './store.conformance.ts';
import {
  buildGeneration,
  buildAccessToken,
  buildCreation,
  buildTask,
  other,
  owner,
  record,
  toSummary,
} from './support.ts';

/** Lone surrogates and U+0000 occur in model output, 2^63 in seeds. */
const odd = 'a\uD83Db\u0000c\u{1F600}"\\\u2028';
const wide = 9_223_372_036_854_775_807n;

export function recordConformance({ createLocation }: Backend): void {
  const open = async () => (await createLocation()).open({ clock: createManualClock() });

  test('round-trip any text and number', async () => {
    const store = await open();
    const whole: Generation = buildGeneration({
      model: odd,
      prompt: odd,
      collection: odd,
      status: 'FAILED',
      finishedAt: 2000,
      taskId: 'task_1',
      firstTokenMs: 12,
      input: { seed: wide, text: odd, nested: [{ [odd]: null }, 1.5, true] },
      output: { type: 'chat-completion', state: odd } as Generation['output'],
      usage: { promptTokens: 1, raw: { a: wide } },
      error: { code: 'GATEWAY_ERROR', message: odd, status: 500, retry: 'FIX_INPUT' },
      raw: [odd, wide, ''],
    });
    await record(store, whole);
    expect(await store.findGenerations(owner, [whole.id])).toEqual([whole]);
    const bare = await record(store, { model: undefined, finishedAt: undefined, status: 'RUNNING' });
    expect(await store.findGenerations(owner, [bare.id])).toEqual([bare]);
    const task = buildTask({ raw: { odd, wide }, progress: 0.5, output: { type: 'song-list' }, logs: odd });
    await store.saveTask(task);
    expect(await store.findTasks(owner, [task.id])).toEqual([task]);
    const token = buildAccessToken({ name: odd, quotaUnits: wide, modelLimits: [odd], collection: odd });
    const creation = buildCreation(token.id, { key: odd });
    await store.claim(creation);
    await store.settle(creation.id, { phase: 'SETTLED', accessToken: token });
    expect(await store.findAccessTokens(owner, [token.id])).toEqual([token]);
    expect(await store.findCreation(owner, odd)).toMatchObject({ key: odd, phase: 'SETTLED' });
  });

  test('have room for the longest names of a model and of a collection, which no engine can compress', async () => {
    const store = await open();
    const longest = (first: number, count: number): string =>
      Array.from({ length: 200 }, (_, place) =>
        String.fromCodePoint(first + ((place * 619_769) % count)),
      ).join('');
    const names = { model: longest(0x1_00_00, 0xf_ff_ff), collection: longest(0xdc_00, 0x3_ff) };
    const generation = await record(store, {
      ...names,
      owner: 'o'.repeat(43),
      finishedAt: undefined,
      taskId: 'task_1',
      openTask: { readOrigin: `https://${longest(0x61, 25)}.example` },
    });
    expect(await store.findSummaries(generation.owner, [generation.id])).toMatchObject([names]);
  });

  test('are returned in the order of the requested ids, to their owner only', async () => {
    const store = await open();
    const [a, b] = [await record(store), await record(store, { owner: other })];
    const ids = [a.id, 'generation_none', b.id, a.id, odd, ''];
    const none = undefined;
    expect(await store.findGenerations(owner, ids)).toEqual([a, none, none, a, none, none]);
    expect(await store.findGenerations(other, ids)).toEqual([none, none, b, none, none, none]);
    expect(await store.listContinuations(owner, odd, { limit: 5 })).toEqual([]);
    expect(await store.countContinuations(owner, odd, 5)).toBe(0);
    const mine = buildTask({ status: 'RUNNING' });
    const theirs = buildTask({ owner: other, status: 'FAILED' });
    await store.saveTask(mine);
    await store.saveTask(theirs);
    expect(await store.findTasks(owner, ['task_1', odd, 'task_2'])).toEqual([mine, none, none]);
    expect(await store.findTasks(other, ['task_1'])).toEqual([theirs]);
    expect(await store.findTasks(owner, [])).toEqual([]);
    expect(await store.findAccessTokens(owner, ['token_1', odd])).toEqual([none, none]);
  });

  test('of many tasks are saved in one turn, except those that have ended', async () => {
    const store = await open();
    const generation = await record(store, { status: 'RUNNING', finishedAt: undefined });
    const ended = buildTask({ id: 'task_ended', status: 'SUCCEEDED' });
    await store.saveTask(ended);
    const made = buildTask({ id: 'task_made', generationId: generation.id });
    const orphaned = buildTask({ id: 'task_orphaned', generationId: 'generation_none' });
    const adopted = buildTask({ id: 'task_adopted' });
    const patch = { status: 'QUEUED' } as const;
    const late = { ...ended, status: 'RUNNING' } as const;
    const none = undefined;
    const saves = [
      { task: late, patch: none },
      { task: made, patch },
      { task: orphaned, patch },
      { task: adopted, patch: none },
      { task: { ...adopted, owner: other }, patch: none },
      { task: { ...adopted, progress: 0.9 }, patch: none },
    ];
    const save = ({ task, patch: change }: (typeof saves)[number]) => store.saveTask(task, change);
    expect(await Promise.all(saves.map(save))).toEqual([
      { task: ended },
      { task: made, generation: toSummary({ ...generation, ...patch }) },
      { task: orphaned },
      { task: adopted },
      { task: { ...adopted, owner: other } },
      { task: { ...adopted, progress: 0.9 } },
    ]);
    const ids = ['task_ended', 'task_made', 'task_orphaned', 'task_adopted'];
    const last = { ...adopted, progress: 0.9 };
    expect(await store.findTasks(owner, ids)).toEqual([ended, made, none, last]);
    expect(await store.findTasks(other, ids)).toEqual([none, none, none, { ...adopted, owner: other }]);
  });

  test('of tasks whose end is presumed are replaced only by good readings and further checks', async () => {
    const store = await open();
    const generation = await record(store, { status: 'RUNNING', finishedAt: undefined, taskId: 'task_1' });
    const running = buildTask({ status: 'RUNNING', generationId: generation.id });
    const counted = { ...running, refusedReads: { reads: 19, firstAt: 1, lastAt: 2 } };
    const presumed = {
      ...running,
      status: 'FAILED',
      refusedReads: { reads: 20, firstAt: 1, lastAt: 3, endedAt: 3 },
    } as const;
    const find = async () => {
      const [[task], [summary]] = await Promise.all([
        store.findTasks(owner, [running.id]),
        store.findSummaries(owner, [generation.id]),
      ]);
      return { task, status: summary?.status, finishedAt: summary?.finishedAt };
    };
    await store.saveTask(counted);
    await store.saveTask(presumed, { status: 'FAILED', finishedAt: 3 });
    for (const stale of [counted, running]) {
      expect((await store.saveTask(stale)).task).toEqual(presumed);
      expect(await find()).toEqual({ task: presumed, status: 'FAILED', finishedAt: 3 });
    }
    const checked = { ...presumed, refusedReads: { ...presumed.refusedReads, lastAt: 4 } };
    await store.saveTask(checked);
    expect(await find()).toEqual({ task: checked, status: 'FAILED', finishedAt: 3 });
    await store.saveTask(running, { status: 'RUNNING', openTask: {} });
    expect(await find()).toEqual({ task: running, status: 'RUNNING', finishedAt: undefined });
    await store.saveTask(presumed, { status: 'FAILED', finishedAt: 5 });
    const ended = { ...running, status: 'SUCCEEDED' } as const;
    await store.saveTask(ended, { status: 'SUCCEEDED', finishedAt: 6 });
    await store.saveTask(presumed, { status: 'FAILED', finishedAt: 7 });
    expect(await find()).toEqual({ task: ended, status: 'SUCCEEDED', finishedAt: 6 });
  });

  test('of unfinished tasks are found by owner, newest first, within age, kinds and limit', async () => {
    const store = await open();
    const unfinished = { status: 'RUNNING', finishedAt: undefined } as const;
    const start = async (id: string, members: Partial<Generation> = {}) => {
      const generation = await record(store, { ...unfinished, kind: 'SONG', taskId: id, ...members });
      const task = buildTask({ id, owner: generation.owner, generationId: generation.id });
      await store.saveTask(task);
      return { task, createdAt: generation.createdAt };
    };
    const [old, recent] = [
      await start('task_1', { createdAt: 10 }),
      await start('task_2', { createdAt: 20 }),
    ];
    await start('task_3', { createdAt: 5 });
    await start('task_4', { createdAt: 30, owner: other });
    await start('task_5', { createdAt: 30, kind: 'SPEECH' });
    await start('task_6', { createdAt: 30, status: 'SUCCEEDED', finishedAt: 40 });
    await record(store, { ...unfinished, createdAt: 30 });
    const find = (limit: number) =>
      store.findUnfinishedTasks(owner, { createdAfter: 5, skippedKinds: ['SPEECH'], limit });
    expect(await find(10)).toEqual([recent, old]);
    expect(await find(1)).toEqual([recent]);
    expect(
      await store.findUnfinishedTasks('nobody', { createdAfter: 0, skippedKinds: [], limit: 9 }),
    ).toEqual([]);
    const findOwners = (selection: { readonly after?: string; readonly limit?: number }) =>
      store.findUnfinishedOwners({
        createdAfter: 5,
        skippedKinds: ['SPEECH'],
        after: '',
        limit: 10,
        ...selection,
      });
    const [first = '', second] = await findOwners({});
    expect(new Set([first, second])).toEqual(new Set([owner, other]));
    expect(await findOwners({ limit: 1 })).toEqual([first]);
    expect(await findOwners({ after: first })).toEqual([second]);
    expect(await findOwners({ after: second ?? '' })).toEqual([]);
  });

  test('change only in the members of a patch', async () => {
    const store = await open();
    const before = await record(store, { output: { type: 'song-list' }, raw: 1, finishedAt: undefined });
    const patch = { status: 'FAILED', finishedAt: 3000, raw: undefined, prompt: 'p', model: 'n' } as const;
    const after = { ...before, ...patch };
    expect(await store.endGeneration(before.id, patch)).toEqual(toSummary(after));
    expect(await store.findGenerations(owner, [before.id])).toEqual([after]);
    expect(await store.endGeneration(before.id, {})).toEqual(toSummary(after));
    expect(await store.findGenerations(owner, [before.id])).toEqual([after]);
    expect(await store.endGeneration('generation_none', patch)).toBeUndefined();
  });

  test('keep their first end; a later one only adds its output, usage and raw', async () => {
    const store = await open();
    const running = await record(store, { finishedAt: undefined, status: 'RUNNING' });
    await store.saveOutput(running.id, { type: 'saved' });
    const first = { status: 'CANCELED', finishedAt: 3000 } as const;
    const ended = { ...running, ...first, output: { type: 'saved' } };
    const find = () => store.findGenerations(owner, [running.id]);
    expect(await store.endGeneration(running.id, first)).toEqual(toSummary(ended));
    expect(await find()).toEqual([ended]);
    const arrived = { output: { type: 'whole' }, usage: { totalTokens: 3 }, raw: ['all'] };
    const late = { status: 'FAILED', finishedAt: 4000, isVisible: false, prompt: 'p' } as const;
    const error = { code: 'INTERRUPTED', message: 'i' };
    const whole = { ...ended, ...arrived };
    expect(await store.endGeneration(running.id, { ...late, ...arrived, error })).toEqual(toSummary(whole));
    expect(await find()).toEqual([whole]);
    const nothing = { output: undefined, usage: undefined, raw: undefined };
    expect(await store.endGeneration(running.id, { ...late, ...nothing })).toEqual(toSummary(whole));
    expect(await find()).toEqual([whole]);
  });

  test('are reported by findEnded once they have ended or are deleted', async () => {
    const store = await open();
    const running = { finishedAt: undefined, status: 'RUNNING' } as const;
    const [a, b, c] = [
      await record(store, running),
      await record(store, running),
      await record(store, running),
    ];
    const ids = [c.id, a.id, 'generation_none', b.id];
    expect(await store.findEnded([])).toEqual([]);
    expect(await store.findEnded(ids)).toEqual(['generation_none']);
    for (const { id } of [b, c]) await store.endGeneration(id, { status: 'CANCELED', finishedAt: 3000 });
    await store.deleteGenerations(owner, [c.id]);
    expect(await store.findEnded(ids)).toEqual([c.id, 'generation_none', b.id]);
  });

  test('keep the address of an unfinished task until the task ends', async () => {
    const store = await open();
    const openTask = { readOrigin: 'https://queue.example' };
    const members = { taskId: 'task_1', finishedAt: undefined, status: 'QUEUED' } as const;
    const generation = await record(store, { ...members, openTask });
    const find = async () => (await store.findGenerations(owner, [generation.id]))[0]?.openTask;
    expect(await find()).toEqual(openTask);
    const task = buildTask({ generationId: generation.id });
    await store.saveTask(task, { status: 'RUNNING', openTask: {} });
    expect(await find()).toEqual({});
    await store.saveTask(task, { status: 'RUNNING' });
    expect(await find()).toEqual({});
    await store.endGeneration(generation.id, { status: 'CANCELED', finishedAt: 5 });
    expect(await find()).toBeUndefined();
  });

  test('of a task and its generation change together', async () => {
    const store = await open();
    const generation = await record(store, { taskId: 'task_1', finishedAt: undefined, status: 'QUEUED' });
    const task = buildTask({ generationId: generation.id, status: 'SUCCEEDED' });
    const saved = await store.saveTask(task, { status: 'SUCCEEDED', finishedAt: 5000 });
    const changed: Generation = { ...generation, status: 'SUCCEEDED', finishedAt: 5000 };
    expect(saved).toEqual({ task, generation: toSummary(changed) });
    expect(await store.findTasks(owner, ['task_1'])).toEqual([task]);
    expect(await store.findGenerations(owner, [generation.id])).toEqual([changed]);
  });

  test('of a finished task ignore the result of an older read', async () => {
    const store = await open();
    const generation = await record(store, { taskId: 'task_1', finishedAt: undefined, status: 'QUEUED' });
    const made = buildTask({
      generationId: generation.id,
      status: 'SUCCEEDED',
      output: { type: 'song-list' },
    });
    const adopted = buildTask({ id: 'task_2', status: 'FAILED' });
    const end = { status: 'SUCCEEDED', finishedAt: 5000 } as const;
    const ended = { ...generation, ...end };
    await store.saveTask(made, end);
    await store.saveTask(adopted);
    const older = { status: 'RUNNING', output: undefined } as const;
    expect(await store.saveTask({ ...made, ...older }, older)).toEqual({
      task: made,
      generation: toSummary(ended),
    });
    expect(await store.saveTask({ ...adopted, ...older })).toEqual({ task: adopted });
    expect(await store.findTasks(owner, ['task_1', 'task_2'])).toEqual([made, adopted]);
    expect(await store.findGenerations(owner, [generation.id])).toEqual([ended]);
  });

  test('of a task that has a generation stay when a read of the task knows of none', async () => {
    const store = await open();
    const generation = await record(store, { taskId: 'task_1', finishedAt: undefined, status: 'QUEUED' });
    const made = buildTask({ generationId: generation.id });
    await store.saveTask(made, {});
    expect((await store.saveTask(buildTask({ status: 'SUCCEEDED' }))).task).toEqual(made);
    expect(await store.findTasks(owner, ['task_1'])).toEqual([made]);
  });

  test('save partial output until the generation ends', async () => {
    const store = await open();
    const running = await record(store, { finishedAt: undefined, status: 'RUNNING' });
    await store.saveOutput(running.id, { type: 'first' });
    await store.saveOutput(running.id, { type: 'second' });
    const find = async () => (await store.findGenerations(owner, [running.id]))[0]?.output;
    expect(await find()).toEqual({ type: 'second' });
    await store.endGeneration(running.id, { finishedAt: 3000, output: { type: 'whole' } });
    await store.saveOutput(running.id, { type: 'late' });
    expect(await find()).toEqual({ type: 'whole' });
    await store.saveOutput('generation_none', { type: 'late' });
    expect(await store.findGenerations(owner, ['generation_none'])).toEqual([undefined]);
  });

  test('have one secret, and are ready until they are closed', async () => {
    const store = await open();
    const [first, second] = await Promise.all([store.secret(), store.secret()]);
    expect(first).toHaveLength(32);
    expect(second).toEqual(first);
    expect(await store.isReady()).toBe(true);
    await store.close();
    expect(await store.isReady()).toBe(false);
  });
}

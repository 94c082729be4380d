import { expect, test } from 'vitest';
import type { GenerationPatch } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { expireFirst, openGivenUp, openPair } from './instance-pairs.ts';
import type { Backend } from './store.conformance.ts';
import {
  buildCreation,
  buildGeneration,
  buildTask,
  noneAbandoned,
  owner,
  record,
  recoverAll,
  recovery,
  toSummary,
} from './support.ts';

/** Instances that continue after others have ended their work. */
export function seemingDeathConformance(backend: Backend): void {
  const running = { finishedAt: undefined, status: 'RUNNING' } as const;
  const whole = { type: 'whole' } as const;
  const end = {
    status: 'SUCCEEDED',
    finishedAt: 9500,
    isVisible: true,
    usage: { promptTokens: 2, completionTokens: 3, totalTokens: 5 },
    output: whole,
  } as const;
  /** The second instance has interrupted what the first still runs. */
  const interrupt = async (...patches: readonly GenerationPatch[]) => {
    const pair = await openPair(backend);
    const { first, second } = pair;
    const chats = [];
    for (const patch of patches) chats.push(await record(first, { ...running, ...patch }));
    await expireFirst(pair);
    expect(await recoverAll(second)).toHaveLength(patches.length);
    const [chat] = chats;
    if (!chat) throw new Error('there is no chat');
    const find = async () => (await second.findGenerations(owner, [chat.id]))[0];
    return { first, second, chat, find };
  };
  const sumsOf = async (store: Store) => {
    const totals = await store.sumUsage(owner, { fromDay: 0, toDay: 1, groupBy: [], limit: 1 });
    const [{ generations, succeeded, failed, canceled, unknown, withUsage, totalTokens } = {}] = totals ?? [];
    return [generations, succeeded, failed, canceled, unknown, withUsage, totalTokens].map(Number);
  };

  test('replace the end that another instance recorded for them, once, and the sums with it', async () => {
    const { first, second, chat, find } = await interrupt({});
    expect(await sumsOf(second)).toEqual([1, 0, 1, 0, 0, 0, 0]);
    expect(await first.saveOutput(chat.id, { type: 'more' })).toBe(true);
    expect(await find()).toMatchObject({ ...recovery.interrupted, output: { type: 'more' } });
    expect(await first.endGeneration(chat.id, end)).toEqual(toSummary({ ...chat, ...end, error: undefined }));
    expect(await find()).toEqual({ ...chat, ...end });
    expect(await sumsOf(second)).toEqual([1, 1, 0, 0, 0, 1, 5]);
    // A repetition, and whatever comes later, changes no end.
    await first.endGeneration(chat.id, end);
    for (const store of [first, second])
      await store.endGeneration(chat.id, { status: 'CANCELED', finishedAt: 9999 });
    expect(await first.saveOutput(chat.id, { type: 'late' })).toBe(false);
    expect(await find()).toEqual({ ...chat, ...end });
    expect(await sumsOf(second)).toEqual([1, 1, 0, 0, 0, 1, 5]);
    const bytes =
      JSON.stringify(chat.input).length + JSON.stringify(whole).length + JSON.stringify(end.usage).length;
    expect(await second.measureRecords(owner)).toEqual({ records: 1, bytes });
    expect(await first.findEnded([chat.id])).toEqual([chat.id]);
  });

  test.each([
    ['an error of the gateway', { status: 'FAILED', error: { code: 'STREAM_CUT', message: 'c' } }],
    ['a cancel', { status: 'CANCELED' }],
    ['their own interruption', { status: 'FAILED', error: { code: 'INTERRUPTED', message: 'own' } }],
  ] as const)('replace it with %s too', async (_what, own) => {
    const { first, second, chat, find } = await interrupt({});
    await first.endGeneration(chat.id, { ...own, finishedAt: 9500, output: whole });
    expect(await find()).toEqual({ ...chat, ...own, finishedAt: 9500, output: whole });
    const isCanceled = own.status === 'CANCELED';
    expect(await sumsOf(second)).toEqual([1, 0, isCanceled ? 0 : 1, isCanceled ? 1 : 0, 0, 0, 0]);
  });

  test('replace no end of another instance, nor of a generation that was deleted meanwhile', async () => {
    const { first, second, chat, find } = await interrupt({}, {});
    await second.endGeneration(chat.id, end);
    expect(await find()).toMatchObject({ ...recovery.interrupted, usage: end.usage, output: whole });
    const [gone] = await second
      .listGenerations(owner, {}, { limit: 10 })
      .then((all) => all.filter(({ id }) => id !== chat.id));
    await second.deleteGenerations(owner, [gone?.id ?? '']);
    expect(await first.endGeneration(gone?.id ?? '', end)).toBeUndefined();
  });

  test('replace no cancel: while they are alive, it ends for good what another instance had interrupted', async () => {
    const { first, second, chat, find } = await interrupt({});
    const cancel = { status: 'CANCELED', finishedAt: 9200, isVisible: true } as const;
    // While they are dead, nothing can stop: the record says what was lost.
    expect(await second.endGeneration(chat.id, cancel)).toMatchObject(recovery.interrupted);
    expect(await sumsOf(second)).toEqual([1, 0, 1, 0, 0, 0, 0]);
    await first.sharing?.renewLease();
    expect(await second.endGeneration(chat.id, cancel)).toMatchObject({ ...cancel, error: undefined });
    expect(await first.findEnded([chat.id])).toEqual([chat.id]);
    await first.endGeneration(chat.id, end);
    expect(await find()).toEqual({ ...chat, ...cancel, usage: end.usage, output: whole });
    expect(await sumsOf(second)).toEqual([1, 0, 0, 1, 0, 1, 5]);
  });

  test('replace the unknown outcome of a create that they were sending when its stream ends', async () => {
    const { first, second, generation, creation } = await openGivenUp(backend);
    await first.settle(creation.id, { phase: 'SETTLED', generation: { isVisible: true } });
    expect(await first.findEnded([generation.id])).toEqual([]);
    expect(await second.findGenerations(owner, [generation.id])).toMatchObject([{ status: 'UNKNOWN' }]);
    await first.endGeneration(generation.id, end);
    expect(await second.findGenerations(owner, [generation.id])).toEqual([{ ...generation, ...end }]);
    expect(await sumsOf(second)).toEqual([1, 1, 0, 0, 0, 1, 5]);
  });

  test.each([
    ['a key', 'client:k'],
    ['no key', null],
  ])('replace the unknown outcome of a create with %s by its result', async (_what, key) => {
    const { first, second, generation, creation } = await openGivenUp(backend, { isVisible: false, key });
    const task = buildTask({ generationId: generation.id });
    const accepted = { status: 'QUEUED', isVisible: true, taskId: task.id } as const;
    await first.settle(creation.id, { phase: 'SETTLED', generation: accepted, task });
    expect(await second.findGenerations(owner, [generation.id])).toEqual([{ ...generation, ...accepted }]);
    expect(await sumsOf(second)).toEqual([1, 0, 0, 0, 0, 0, 0]);
  });

  test.each([
    ['a key', 'client:k'],
    ['no key', null],
  ])('replace the unknown outcome of a create with %s by its refusal', async (_what, key) => {
    const { first, second, generation, creation } = await openGivenUp(backend, { isVisible: false, key });
    const error = { code: 'RATE_LIMITED', message: 'slow down', retry: 'LATER' } as const;
    const failed = { status: 'FAILED', error, finishedAt: 9500, isVisible: true } as const;
    const refusal = { failure: error, at: failed.finishedAt, keepsKey: false };
    // Clients know its id.
    expect(await first.release(creation.id, { refusal })).toEqual(toSummary({ ...generation, ...failed }));
    expect(await second.findGenerations(owner, [generation.id])).toEqual([{ ...generation, ...failed }]);
    expect(await sumsOf(second)).toEqual([1, 0, 1, 0, 0, 0, 0]);
    // The key is free. The end is final.
    const again = buildGeneration();
    expect(await second.claim(buildCreation(again.id, { key: key ?? undefined }), again)).toBeUndefined();
    await first.endGeneration(generation.id, end);
    expect(await second.findGenerations(owner, [generation.id])).toMatchObject([failed]);
  });

  test('keep the unknown outcome of a create that is released without a refusal', async () => {
    const { first, second, generation, creation } = await openGivenUp(backend);
    expect(await first.release(creation.id)).toBeUndefined();
    expect(await second.findGenerations(owner, [generation.id])).toMatchObject([{ status: 'UNKNOWN' }]);
  });

  test('keep a cancellation when the gateway refuses a create whose outcome was unknown', async () => {
    const { first, second, generation, creation } = await openGivenUp(backend);
    await first.sharing?.renewLease();
    const canceled = { status: 'CANCELED', finishedAt: 9200, isVisible: true } as const;
    await second.endGeneration(generation.id, canceled);
    const refusal = { failure: { code: 'RATE_LIMITED', message: 'no' }, at: 9500, keepsKey: false };
    expect(await first.release(creation.id, { refusal })).toBeUndefined();
    expect(await second.findGenerations(owner, [generation.id])).toMatchObject([canceled]);
  });

  test('record the task of a create whose generation was deleted meanwhile as one of no generation', async () => {
    const { first, second, generation, creation } = await openGivenUp(backend, { isVisible: false });
    expect(await second.deleteGenerations(owner, [generation.id])).toEqual([generation.id]);
    const { generationId: _none, ...task } = buildTask();
    const accepted = { status: 'QUEUED', isVisible: true, taskId: task.id } as const;
    for (let round = 0; round < 2; round += 1)
      await first.settle(creation.id, {
        phase: 'SETTLED',
        generation: accepted,
        task: { ...task, generationId: generation.id },
      });
    // It can be read, and is deleted like other tasks that are only read.
    expect(await second.findTasks(owner, [task.id])).toEqual([task]);
    const expiry = { keysBefore: 0, generationsBefore: 2000, limit: 10, ...noneAbandoned };
    expect(await second.sweep(expiry)).toMatchObject({ deleted: 1 });
    expect(await second.findTasks(owner, [task.id])).toEqual([undefined]);
  });
}

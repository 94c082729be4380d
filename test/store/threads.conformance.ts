import { expect, test } from 'vitest';
import type { Generation } from '../../src/store/records.ts';
import type { RecordLimits, Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { buildCreation, buildGeneration, noneAbandoned, other, owner, record } from './support.ts';
import type { Backend } from './store.conformance.ts';

/** Continues a generation. */
export function continueRecord(
  store: Store,
  parent: Pick<Generation, 'id' | 'turn' | 'createdAt'>,
  members: Partial<Generation> = {},
): Promise<Generation> {
  const { id, turn } = parent;
  const depth = (turn?.depth ?? 0) + 1;
  return record(store, {
    turn: { parentId: id, choice: 0, rootId: turn?.rootId ?? id, depth },
    inputState: 'WHOLE',
    createdAt: parent.createdAt + 1,
    ...members,
  });
}

/** A thread of this many turns, its first one first. */
async function recordThread(
  store: Store,
  turns: number,
  members: (index: number) => Partial<Generation> = () => ({}),
): Promise<readonly [Generation, ...Generation[]]> {
  const thread: [Generation, ...Generation[]] = [await record(store, members(0))];
  for (let index = 1; index < turns; index += 1)
    thread.push(await continueRecord(store, thread.at(-1) ?? thread[0], members(index)));
  return thread;
}

const ids = (generations: readonly Pick<Generation, 'id'>[]): readonly string[] =>
  generations.map(({ id }) => id);

export function threadConformance(backend: Backend): void {
  const open = async (recordLimits?: Partial<RecordLimits>): Promise<Store> => {
    const unlimited = Number.MAX_SAFE_INTEGER;
    const limits = recordLimits && { maxRecords: unlimited, maxBytes: unlimited, ...recordLimits };
    const location = await backend.createLocation();
    return location.open({ clock: createManualClock(), ...(limits && { recordLimits: limits }) });
  };
  const turnIds = async (store: Store, id: string, of = owner): Promise<readonly string[]> =>
    (await store.findThread(of, id)).turns.map(({ generation }) => generation.id);

  test('a generation keeps its place in its conversation through every write', async () => {
    const store = await open();
    const root = await record(store);
    const turn = { parentId: root.id, choice: 2, rootId: root.id, depth: 1 };
    const child = buildGeneration({ turn, inputState: 'MEDIA_NOT_RECORDED' });
    const creation = buildCreation(child.id);
    await store.claim(creation, child);
    expect(
      await store.settle(creation.id, { phase: 'SETTLED', generation: { isVisible: true } }),
    ).toMatchObject({ turn });
    expect(
      await store.endGeneration(child.id, { status: 'SUCCEEDED', finishedAt: 5, output: { type: 'x' } }),
    ).toMatchObject({ turn, inputState: 'MEDIA_NOT_RECORDED' });
    const [found, first] = await store.findGenerations(owner, [child.id, root.id]);
    expect(found).toMatchObject({ turn, inputState: 'MEDIA_NOT_RECORDED' });
    expect(first).toEqual(root);
  });

  test('a thread is read from its first turn, of one owner, with the sizes of its turns', async () => {
    const store = await open();
    const thread = await recordThread(store, 4, (index) => ({
      input: { text: 'x'.repeat(index) },
      output: { type: 'out' },
      prompt: 'not counted',
    }));
    const branch = await continueRecord(store, thread[1] ?? thread[0]);
    const [, , , leaf = thread[0]] = thread;
    expect(await turnIds(store, leaf.id)).toEqual(ids(thread));
    expect(await turnIds(store, branch.id)).toEqual([...ids(thread.slice(0, 2)), branch.id]);
    const { turns, isWhole } = await store.findThread(owner, leaf.id);
    expect(isWhole).toBe(true);
    const sizeOf = (index: number) => `{"text":"${'x'.repeat(index)}"}`.length + '{"type":"out"}'.length;
    expect(turns.map(({ bytes }) => bytes)).toEqual([0, 1, 2, 3].map(sizeOf));
    expect(turns[3]?.generation.turn).toEqual(leaf.turn);
    expect(await store.measureThreads(owner, [leaf.id, 'no id!', thread[0].id, 'generation_x'])).toEqual([
      { turns: 4, bytes: turns.reduce((sum, { bytes }) => sum + bytes, 0), isWhole: true },
      undefined,
      { turns: 1, bytes: sizeOf(0), isWhole: true },
      undefined,
    ]);
    for (const id of [leaf.id, "x' or '1", ''])
      expect(await store.findThread(id === leaf.id ? other : owner, id)).toEqual({
        turns: [],
        isWhole: false,
      });
    expect(await store.measureThreads(other, [leaf.id])).toEqual([undefined]);
  });

  test('the output of a running turn counts with its parts', async () => {
    const store = await open();
    const { id } = await record(store, { finishedAt: undefined, status: 'RUNNING', input: {} });
    for (const length of [20_000, 40_000, 60_000]) await store.saveOutput(id, { type: 'x'.repeat(length) });
    expect((await store.measureThreads(owner, [id]))[0]?.bytes).toBeGreaterThan(60_000);
  });

  test('a thread ends after a deleted turn', async () => {
    const store = await open();
    const thread = await recordThread(store, 4);
    const [, second = thread[0], third = thread[0], leaf = thread[0]] = thread;
    await store.deleteGenerations(owner, [second.id]);
    expect(await turnIds(store, leaf.id)).toEqual([third.id, leaf.id]);
    expect((await store.findThread(owner, leaf.id)).isWhole).toBe(false);
    expect((await store.measureThreads(owner, [leaf.id, thread[0].id])).map((size) => size?.isWhole)).toEqual(
      [false, true],
    );
  });

  test('continuations are listed oldest first, by position, without those of other owners', async () => {
    const store = await open();
    const root = await record(store);
    const branches: Generation[] = [];
    for (let index = 0; index < 3; index += 1)
      branches.push(await continueRecord(store, root, { createdAt: 2000 + index }));
    await continueRecord(store, branches[0] ?? root);
    await continueRecord(store, root, { isVisible: false });
    const [first, second, third] = branches;
    const after = { createdAt: 2000, id: first?.id ?? '' };
    const list = async (page: { readonly limit: number; readonly after?: typeof after }) =>
      (await store.listContinuations(owner, root.id, page)).map(({ id }) => id);
    expect(await list({ limit: 2 })).toEqual([first?.id, second?.id]);
    expect(await list({ limit: 2, after })).toEqual([second?.id, third?.id]);
    expect(await store.countContinuations(owner, root.id, 10)).toBe(3);
    expect(await store.countContinuations(owner, root.id, 2)).toBe(2);
    expect(await store.listContinuations(other, root.id, { limit: 5 })).toEqual([]);
    expect(await store.countContinuations(other, root.id, 5)).toBe(0);
  });

  test('the newest turn of each conversation is found on any branch, without turns in flight or of others', async () => {
    const store = await open();
    const root = await record(store);
    const [single, foreign] = [await record(store), await record(store, { owner: other })];
    const left = await continueRecord(store, root, { createdAt: 2000 });
    const right = await continueRecord(store, root, { createdAt: 2002, status: 'RUNNING' });
    const older = await continueRecord(store, left, { createdAt: 2001 });
    await continueRecord(store, right, { createdAt: 2003, isVisible: false });
    const theirs = await continueRecord(store, foreign, { owner: other });
    const find = async (rootIds: readonly string[], of = owner) =>
      (await store.findNewestTurns(of, rootIds)).map((turn) => turn?.id);
    const rootIds = [single.id, root.id, foreign.id, 'no id!', root.id, 'generation_none'];
    expect(await find(rootIds)).toEqual([undefined, right.id, undefined, undefined, right.id, undefined]);
    expect(await find(rootIds, other)).toEqual([undefined, undefined, theirs.id, ...Array(3)]);
    expect(await find([])).toEqual([]);
    expect(await store.findNewestTurns(owner, [root.id])).toEqual(
      await store.findSummaries(owner, [right.id]),
    );
    await store.deleteGenerations(owner, [root.id, right.id]);
    expect(await find([root.id])).toEqual([older.id]);
  });

  test('the turns of a conversation are listed on all branches, newest first, without turns in flight or of others', async () => {
    const store = await open();
    const root = await record(store);
    await record(store);
    const left = await continueRecord(store, root, { createdAt: 2000 });
    const right = await continueRecord(store, root, { createdAt: 2002, status: 'RUNNING' });
    const older = await continueRecord(store, left, { createdAt: 2001 });
    await continueRecord(store, right, { createdAt: 2003, isVisible: false });
    const list = async (id: string, limit: number, of = owner) => ids(await store.listTurns(of, id, limit));
    expect(await list(root.id, 4)).toEqual([right.id, older.id, left.id, root.id]);
    expect(await list(root.id, 3)).toEqual([right.id, older.id, left.id]);
    expect(await list(root.id, 2)).toEqual([right.id, older.id]);
    for (const [id, of] of [[root.id, other], ['no id!'], ['generation_none']] as const)
      expect(await list(id, 4, of)).toEqual([]);
    await store.deleteGenerations(owner, [root.id]);
    expect(await list(root.id, 4)).toEqual([right.id, older.id, left.id]);
  });

  test('room is made by deleting whole conversations, by the end of their last turn', async () => {
    const store = await open({ maxRecords: 7 });
    const used = await recordThread(store, 3, (index) => ({ finishedAt: [10, 11, 90][index] ?? 0 }));
    const unused = await recordThread(store, 3, (index) => ({ finishedAt: 20 + index }));
    const single = await record(store, { finishedAt: 50 });
    const room = await store.makeRoom(owner, { abandonment: noneAbandoned });
    expect(room.generations.map(({ id }) => id).toSorted()).toEqual(ids(unused).toSorted());
    // The next one to go is younger than the first turns of the conversation in use.
    for (let index = 0; index < 3; index += 1) await record(store, { finishedAt: 100 + index });
    const next = await store.makeRoom(owner, { abandonment: noneAbandoned });
    expect(next.generations.map(({ id }) => id)).toEqual([single.id]);
    expect(await turnIds(store, used[2]?.id ?? '')).toEqual(ids(used));
  });

  test('the conversation that is being continued, or that runs, is deleted last', async () => {
    const store = await open({ maxRecords: 5 });
    const kept = await recordThread(store, 2, () => ({ finishedAt: 10 }));
    const running = await record(store, { finishedAt: 5 });
    await continueRecord(store, running, { finishedAt: undefined, status: 'RUNNING' });
    const single = await record(store, { finishedAt: 50 });
    const options = { abandonment: noneAbandoned, keptRootId: kept[0].id };
    expect((await store.makeRoom(owner, options)).generations).toEqual([{ id: single.id, owner }]);
    await record(store, { finishedAt: 60 });
    await store.makeRoom(owner, options);
    expect(await turnIds(store, kept[1]?.id ?? '')).toEqual(ids(kept));
    // If there is nothing else, a create is not refused.
    await continueRecord(store, kept[1] ?? kept[0], { finishedAt: 70 });
    expect((await store.makeRoom(owner, options)).generations).toEqual([{ id: running.id, owner }]);
  });

  test('a conversation larger than one batch is deleted from its end', async () => {
    const location = await backend.createLocation();
    const clock = createManualClock();
    const unlimitedStore = await location.open({ clock });
    const thread = await recordThread(unlimitedStore, 250, (index) => ({ finishedAt: index + 1 }));
    if (!backend.isShared) return;
    const limits = { maxRecords: 50, maxBytes: Number.MAX_SAFE_INTEGER };
    const store = await location.open({ clock, recordLimits: limits });
    const room = await store.makeRoom(owner, { abandonment: noneAbandoned });
    expect(room.generations.map(({ id }) => id).toSorted()).toEqual(ids(thread.slice(50)).toSorted());
    expect((await store.findThread(owner, thread[49]?.id ?? '')).isWhole).toBe(true);
  });

  test('inline images of the recorded requests are summed', async () => {
    const store = await open();
    const { id } = await record(store, { inlineImageBytes: 1000 });
    await record(store, { inlineImageBytes: 500 });
    await record(store, { inlineImageBytes: 7, owner: other });
    await record(store);
    expect(await store.measureInlineImages(owner)).toBe(1500);
    await store.deleteGenerations(owner, [id]);
    expect(await store.measureInlineImages(owner)).toBe(500);
  });
}

import { expect, test } from 'vitest';
import type { Creation } from '../../src/store/records.ts';
import { maxRefused } from '../../src/store/sql/creations/refused-creations.ts';
import { createManualClock } from '../support/manual-clock.ts';
import type { Backend } from './store.conformance.ts';
import {
  buildCreation,
  buildGeneration,
  buildTask,
  buildAccessToken,
  other,
  owner,
  toSummary,
} from './support.ts';

export function creationConformance({ createLocation }: Backend): void {
  const open = async () => (await createLocation()).open({ clock: createManualClock() });

  test('claim a key and record the creation together', async () => {
    const store = await open();
    const generation = buildGeneration({ isVisible: false });
    const creation = buildCreation(generation.id);
    expect(await store.claim(creation, generation)).toBeUndefined();
    expect(await store.findCreation(owner, 'client:k')).toEqual({
      ...creation,
      instanceId: store.instanceId,
    });
    expect(await store.findGenerations(owner, [generation.id])).toEqual([generation]);
  });

  test('with a claimed key change nothing and return its holder', async () => {
    const store = await open();
    const [first, second] = [buildGeneration(), buildGeneration()];
    const holder = buildCreation(first.id);
    await store.claim(holder, first);
    expect(await store.claim(buildCreation(second.id, { fingerprint: 'g' }), second)).toMatchObject(holder);
    expect(await store.findGenerations(owner, [second.id])).toEqual([undefined]);
    const theirs = buildGeneration({ owner: other });
    expect(await store.claim(buildCreation(theirs.id, { owner: other }), theirs)).toBeUndefined();
  });

  test('50 concurrent claims of one key let one through', async () => {
    const store = await open();
    const all = Array.from({ length: 50 }, () => buildGeneration());
    const holders = await Promise.all(
      all.map((generation) => store.claim(buildCreation(generation.id), generation)),
    );
    expect(holders.filter((holder) => holder === undefined)).toHaveLength(1);
    const found = await store.findGenerations(
      owner,
      all.map(({ id }) => id),
    );
    expect(found.filter(Boolean)).toHaveLength(1);
  });

  test('without a key never conflict and leave no bookkeeping', async () => {
    const store = await open();
    for (const generation of [buildGeneration(), buildGeneration()]) {
      const creation = buildCreation(generation.id, { key: undefined });
      expect(await store.claim(creation, generation)).toBeUndefined();
      await store.settle(creation.id, { phase: 'SETTLED' });
      expect(await store.settle(creation.id, { phase: 'SETTLED' })).toBeUndefined();
    }
  });

  test('that are refused keep their key, up to a number per owner, and leave no generation', async () => {
    const store = await open();
    const generation = buildGeneration({ isVisible: false });
    const creation = buildCreation(generation.id);
    await store.claim(creation, generation);
    const failure = { code: 'RATE_LIMITED', message: 'not now', retry: 'LATER' } as const;
    await store.release(creation.id, { refusal: { failure, at: 3000, keepsKey: true } });
    const refused = { ...creation, phase: 'SETTLED', createdAt: 3000, failure };
    expect(await store.claim(buildCreation('generation_x'), buildGeneration())).toMatchObject(refused);
    expect(await store.measureRecords(owner)).toMatchObject({ records: 0 });
    const claim = (createdAt: number, members: Partial<Creation> = {}) =>
      store.claim(
        buildCreation('generation_x', {
          phase: 'SETTLED',
          key: String(createdAt),
          createdAt,
          failure,
          ...members,
        }),
      );
    await claim(1, { owner: other });
    for (let time = 3001; time < 3000 + maxRefused; time += 1) await claim(time);
    expect(await store.findCreation(owner, 'client:k')).toMatchObject(refused);
    await claim(3000 + maxRefused);
    expect(await store.findCreation(owner, 'client:k')).toBeUndefined();
    expect(await store.findCreation(owner, '3001')).toMatchObject({ failure });
    expect(await store.findCreation(other, '1')).toMatchObject({ failure });
  });

  test('record a cloned voice for their owner, with and without a key', async () => {
    const store = await open();
    for (const key of [undefined, 'client:k']) {
      const creation = buildCreation('voice_x', { key });
      await store.claim(creation);
      expect(await store.hasClonedVoice(owner, `v-${key}`)).toBe(false);
      for (let round = 0; round < 2; round += 1)
        await store.settle(creation.id, { phase: 'SETTLED', clonedVoiceId: `v-${key}` });
      expect(await store.hasClonedVoice(owner, `v-${key}`)).toBe(true);
      expect(await store.hasClonedVoice(other, `v-${key}`)).toBe(false);
    }
    expect(await store.hasClonedVoice(owner, '\u0000')).toBe(false);
  });

  test('settle together with the records that they create', async () => {
    const store = await open();
    const generation = buildGeneration({ isVisible: false });
    const creation = buildCreation(generation.id);
    await store.claim(creation, generation);
    const task = buildTask({ generationId: generation.id });
    const token = buildAccessToken();
    const settled = await store.settle(creation.id, {
      phase: 'SETTLED',
      generation: { isVisible: true, taskId: task.id },
      task,
      accessToken: token,
    });
    const accepted = { ...generation, isVisible: true, taskId: task.id };
    expect(settled).toEqual(toSummary(accepted));
    expect(await store.findGenerations(owner, [generation.id])).toEqual([accepted]);
    expect(await store.findTasks(owner, [task.id])).toEqual([task]);
    expect(await store.findAccessTokens(owner, [token.id])).toEqual([token]);
    expect(await store.findCreation(owner, 'client:k')).toMatchObject({ phase: 'SETTLED' });
  });

  test('release their key and delete their generation, unless it is to be kept', async () => {
    const store = await open();
    const [refused, kept] = [buildGeneration(), buildGeneration()];
    const first = buildCreation(refused.id);
    await store.claim(first, refused);
    expect(await store.release(first.id)).toEqual({ id: refused.id, owner });
    expect(await store.findCreation(owner, 'client:k')).toBeUndefined();
    const second = buildCreation(kept.id);
    expect(await store.claim(second, kept)).toBeUndefined();
    expect(await store.release(second.id, { keepGeneration: true })).toBeUndefined();
    expect(await store.release('creation_none')).toBeUndefined();
    const hidden = buildGeneration({ isVisible: false });
    const third = buildCreation(hidden.id, { key: undefined });
    await store.claim(third, hidden);
    expect(await store.release(third.id)).toEqual({ id: hidden.id, owner });
    expect(await store.findGenerations(owner, [refused.id, kept.id])).toEqual([undefined, kept]);
  });

  test('keep their key if they were canceled and never sent', async () => {
    const store = await open();
    const [unsent, refused, unnamed] = [buildGeneration(), buildGeneration(), buildGeneration()];
    const creations = [
      buildCreation(unsent.id, { key: 'client:unsent' }),
      buildCreation(refused.id, { key: 'client:refused' }),
      buildCreation(unnamed.id, { key: undefined }),
    ] as const;
    for (const [index, generation] of [unsent, refused, unnamed].entries()) {
      await store.claim(creations[index] ?? buildCreation(''), generation);
      await store.endGeneration(generation.id, { status: 'CANCELED', finishedAt: 5, isVisible: true });
    }
    const [first, second, third] = creations;
    for (const { id } of [first, third]) expect(await store.release(id, { isUnsent: true })).toBeUndefined();
    expect(await store.release(second.id)).toBeUndefined();
    expect(await store.findCreation(owner, first.key ?? '')).toMatchObject({
      phase: 'SETTLED',
      subjectId: unsent.id,
    });
    expect(await store.findCreation(owner, second.key ?? '')).toBeUndefined();
    const [summary] = await store.findSummaries(owner, [unnamed.id]);
    expect(summary?.status).toBe('CANCELED');
  });
}

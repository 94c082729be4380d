import { expect, test } from 'vitest';
import { createManualClock } from '../support/manual-clock.ts';
import type { Backend } from './store.conformance.ts';
import { aCreation, aGeneration, aTask, anAccessToken, other, owner } from './support.ts';

export function creationConformance({ createPlace }: Backend): void {
  const open = async () => (await createPlace()).open({ clock: createManualClock() });

  test('claim a key and record the intent together', async () => {
    const store = await open();
    const generation = aGeneration({ isVisible: false });
    const creation = aCreation(generation.id);
    expect(await store.claim(creation, generation)).toBeUndefined();
    expect(await store.findCreation(owner, 'client:k')).toEqual({
      ...creation,
      instanceId: store.instanceId,
    });
    expect(await store.findGenerations(owner, [generation.id])).toEqual([generation]);
  });

  test('with a key that is taken change nothing, and learn who holds it', async () => {
    const store = await open();
    const [first, second] = [aGeneration(), aGeneration()];
    const holder = aCreation(first.id);
    await store.claim(holder, first);
    expect(await store.claim(aCreation(second.id, { fingerprint: 'g' }), second)).toMatchObject(holder);
    expect(await store.findGenerations(owner, [second.id])).toEqual([undefined]);
    const theirs = aGeneration({ owner: other });
    expect(await store.claim(aCreation(theirs.id, { owner: other }), theirs)).toBeUndefined();
  });

  test('of 50 at once with one key let one through', async () => {
    const store = await open();
    const all = Array.from({ length: 50 }, () => aGeneration());
    const holders = await Promise.all(
      all.map((generation) => store.claim(aCreation(generation.id), generation)),
    );
    expect(holders.filter((holder) => holder === undefined)).toHaveLength(1);
    const found = await store.findGenerations(
      owner,
      all.map(({ id }) => id),
    );
    expect(found.filter(Boolean)).toHaveLength(1);
  });

  test('without a key are never the same, and leave no bookkeeping', async () => {
    const store = await open();
    for (const generation of [aGeneration(), aGeneration()]) {
      const creation = aCreation(generation.id, { key: undefined });
      expect(await store.claim(creation, generation)).toBeUndefined();
      expect(await store.markSending(creation.id)).toBe(true);
      await store.settle(creation.id, { phase: 'SETTLED' });
      expect(await store.markSending(creation.id)).toBe(false);
    }
  });

  test('are marked as being sent once, and only while they are claimed', async () => {
    const store = await open();
    const generation = aGeneration();
    const creation = aCreation(generation.id);
    expect(await store.markSending(creation.id)).toBe(false);
    await store.claim(creation, generation);
    expect([await store.markSending(creation.id), await store.markSending(creation.id)]).toEqual([
      true,
      false,
    ]);
    expect(await store.findCreation(owner, 'client:k')).toMatchObject({ phase: 'SENDING' });
  });

  test('settle with all that they leave behind', async () => {
    const store = await open();
    const generation = aGeneration({ isVisible: false });
    const creation = aCreation(generation.id);
    await store.claim(creation, generation);
    await store.markSending(creation.id);
    const task = aTask({ generationId: generation.id });
    const token = anAccessToken();
    const settled = await store.settle(creation.id, {
      phase: 'SETTLED',
      generation: { isVisible: true, taskId: task.id },
      task,
      accessToken: token,
    });
    expect(settled).toEqual({ ...generation, isVisible: true, taskId: task.id });
    expect(await store.findTasks(owner, [task.id])).toEqual([task]);
    expect(await store.findAccessTokens(owner, [token.id])).toEqual([token]);
    expect(await store.findCreation(owner, 'client:k')).toMatchObject({ phase: 'SETTLED' });
  });

  test('that are given up free their key, and take their generation along unless told otherwise', async () => {
    const store = await open();
    const [refused, kept] = [aGeneration(), aGeneration()];
    const first = aCreation(refused.id);
    await store.claim(first, refused);
    await store.release(first.id);
    expect(await store.findCreation(owner, 'client:k')).toBeUndefined();
    const second = aCreation(kept.id);
    expect(await store.claim(second, kept)).toBeUndefined();
    await store.release(second.id, { keepGeneration: true });
    await store.release('creation_none');
    expect(await store.findGenerations(owner, [refused.id, kept.id])).toEqual([undefined, kept]);
  });
}

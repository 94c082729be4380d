import { expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import type { Backend } from './store.conformance.ts';
import { aCreation, aGeneration, owner, recovery, record } from './support.ts';

const leaseMs = 1000;

interface Pair {
  readonly clock: ManualClock;
  readonly first: Store;
  readonly second: Store;
}

async function openPair({ createPlace }: Backend): Promise<Pair> {
  const place = await createPlace();
  const clock = createManualClock();
  const first = await place.open({ clock, leaseMs });
  return { clock, first, second: await place.open({ clock, leaseMs }) };
}

/** The first instance's lease runs out; the second's does not. */
async function expireFirst({ clock, second }: Pair): Promise<void> {
  clock.advance(leaseMs);
  await second.renewLease();
}

/** The second has given up, as of unknown outcome, what the first is still sending. */
async function openGivenUp(backend: Backend) {
  const pair = await openPair(backend);
  const { first, second } = pair;
  const generation = aGeneration();
  const creation = aCreation(generation.id);
  await first.claim(creation, generation);
  await first.markSending(creation.id);
  await expireFirst(pair);
  await second.recover(recovery);
  return { first, second, generation, creation };
}

export function instanceConformance(backend: Backend): void {
  test('have one secret and see the same records', async () => {
    const { first, second } = await openPair(backend);
    expect(await second.secret()).toEqual(await first.secret());
    const generation = await record(first);
    expect(await second.findGenerations(owner, [generation.id])).toEqual([generation]);
    expect(second.instanceId).not.toBe(first.instanceId);
  });

  test('let one through of 100 claims of one key at once', async () => {
    const { first, second } = await openPair(backend);
    const claims = Array.from({ length: 100 }, (_, index) => {
      const generation = aGeneration();
      return (index % 2 === 0 ? first : second).claim(aCreation(generation.id), generation);
    });
    const holders = await Promise.all(claims);
    expect(holders.filter((holder) => holder === undefined)).toHaveLength(1);
    expect(new Set(holders.flatMap((holder) => holder?.id ?? [])).size).toBe(1);
  });

  test('lose no write when both write as fast as they can', async () => {
    const { first, second } = await openPair(backend);
    const written = await Promise.all(
      Array.from({ length: 200 }, (_, index) => record(index % 2 === 0 ? first : second)),
    );
    const ids = written.map(({ id }) => id);
    expect(await first.findGenerations(owner, ids)).toEqual(written);
  });

  test('leave alone what the other works on while its lease runs', async () => {
    const pair = await openPair(backend);
    const { first, second, clock } = pair;
    const generation = aGeneration();
    await first.claim(aCreation(generation.id), generation);
    clock.advance(leaseMs - 1);
    expect(await second.recover(recovery)).toEqual([]);
    const twin = aGeneration();
    expect(await second.claim(aCreation(twin.id), twin)).toMatchObject({ phase: 'CLAIMED' });
    await first.renewLease();
    clock.advance(leaseMs - 1);
    expect(await second.recover(recovery)).toEqual([]);
  });

  test('take over a claim of a dead one, which then may not send', async () => {
    const pair = await openPair(backend);
    const { first, second } = pair;
    const [mine, twin] = [aGeneration(), aGeneration()];
    const claimed = aCreation(mine.id);
    await first.claim(claimed, mine);
    await expireFirst(pair);
    const taking = aCreation(twin.id);
    expect(await second.claim(taking, twin)).toBeUndefined();
    expect(await first.markSending(claimed.id)).toBe(false);
    expect(await second.markSending(taking.id)).toBe(true);
    expect(await first.findGenerations(owner, [mine.id, twin.id])).toEqual([undefined, twin]);
  });

  test('do not take over what a dead one may have sent: nobody knows what became of it', async () => {
    const pair = await openPair(backend);
    const { first, second } = pair;
    const [mine, twin] = [aGeneration({ isVisible: false }), aGeneration()];
    const sending = aCreation(mine.id);
    await first.claim(sending, mine);
    await first.markSending(sending.id);
    await expireFirst(pair);
    expect(await second.claim(aCreation(twin.id), twin)).toMatchObject({ id: sending.id, phase: 'SENDING' });
    expect(await second.recover(recovery)).toEqual([{ ...mine, ...recovery.unknown }]);
    expect(await second.claim(aCreation(twin.id), twin)).toMatchObject({ id: sending.id, phase: 'UNKNOWN' });
    expect(await second.recover(recovery)).toEqual([]);
  });

  test('settle all that a dead one left: claims are gone, what ran is interrupted with what was saved', async () => {
    const pair = await openPair(backend);
    const { first, second } = pair;
    const [claimed, running, queued, done] = [aGeneration(), aGeneration(), aGeneration(), aGeneration()];
    await first.claim(aCreation(claimed.id, { key: 'a' }), claimed);
    for (const [generation, patch] of [
      [running, {}],
      [queued, { taskId: 'task_1', status: 'QUEUED' }],
      [done, { status: 'SUCCEEDED', finishedAt: 2000 }],
    ] as const) {
      const creation = aCreation(generation.id, { key: generation.id });
      await first.claim(creation, generation);
      await first.markSending(creation.id);
      await first.settle(creation.id, { phase: 'SETTLED', generation: patch });
    }
    await first.saveOutput(running.id, { type: 'prefix' });
    await expireFirst(pair);
    const interrupted = { ...running, ...recovery.interrupted, output: { type: 'prefix' } };
    expect(await second.recover(recovery)).toEqual([interrupted]);
    expect(await second.findGenerations(owner, [claimed.id, running.id, queued.id, done.id])).toMatchObject([
      undefined,
      interrupted,
      { status: 'QUEUED' },
      { status: 'SUCCEEDED' },
    ]);
    expect(await second.findCreation(owner, 'a')).toBeUndefined();
    expect(await second.findCreation(owner, running.id)).toMatchObject({ phase: 'SETTLED' });
  });

  test('that were only slow tell the truth in the end', async () => {
    const { first, second, generation, creation } = await openGivenUp(backend);
    const patch = { status: 'SUCCEEDED', finishedAt: 3000, error: undefined } as const;
    await first.settle(creation.id, { phase: 'SETTLED', generation: patch });
    expect(await second.findCreation(owner, 'client:k')).toMatchObject({ phase: 'SETTLED' });
    expect(await second.findGenerations(owner, [generation.id])).toMatchObject([patch]);
  });

  test('that were only slow bring back work that was given up as unknown', async () => {
    const { first, second, generation, creation } = await openGivenUp(backend);
    const patch = { status: 'QUEUED', taskId: 'task_1', isVisible: true } as const;
    const settled = await first.settle(creation.id, { phase: 'SETTLED', generation: patch });
    expect(settled).toEqual({ ...generation, ...patch, finishedAt: undefined, error: undefined });
    expect(await second.findGenerations(owner, [generation.id])).toEqual([settled]);
  });

  test('leave a cancellation as it is, however the create ends after it', async () => {
    const pair = await openPair(backend);
    const { first, second } = pair;
    const begin = async (key: string) => {
      const generation = aGeneration({ isVisible: false });
      const creation = aCreation(generation.id, { key });
      await first.claim(creation, generation);
      await first.markSending(creation.id);
      const canceled = await second.endGeneration(generation.id, {
        status: 'CANCELED',
        finishedAt: 3000,
        isVisible: true,
      });
      return { creation, canceled };
    };
    const [accepted, lost, refused, orphan] = [
      await begin('accepted'),
      await begin('lost'),
      await begin('refused'),
      await begin('orphan'),
    ];
    const running = { status: 'RUNNING', isVisible: true, raw: ['a'] } as const;
    await first.settle(accepted.creation.id, { phase: 'SETTLED', generation: running });
    await first.settle(lost.creation.id, { phase: 'UNKNOWN', generation: recovery.unknown });
    await first.release(refused.creation.id);
    await expireFirst(pair);
    expect(await second.recover(recovery)).toEqual([]);
    const all = [accepted, lost, refused, orphan].map(({ canceled }) => canceled);
    expect(
      await second.findGenerations(
        owner,
        all.map((canceled) => canceled?.id ?? ''),
      ),
    ).toEqual([{ ...accepted.canceled, raw: ['a'] }, ...all.slice(1)]);
    expect(await second.findCreation(owner, 'refused')).toBeUndefined();
    expect(await second.findCreation(owner, 'orphan')).toMatchObject({ phase: 'UNKNOWN' });
  });

  test('learn of what another has ended, by its owner or for their death', async () => {
    const pair = await openPair(backend);
    const { first, second } = pair;
    const running = { finishedAt: undefined, status: 'RUNNING' } as const;
    const [canceled, left, theirs] = [
      await record(first, running),
      await record(first, running),
      await record(second, running),
    ];
    expect(await first.findEnded([canceled.id, left.id])).toEqual([]);
    await second.endGeneration(canceled.id, { status: 'CANCELED', finishedAt: 3000 });
    expect(await first.findEnded([canceled.id, left.id])).toEqual([canceled.id]);
    await expireFirst(pair);
    await second.recover(recovery);
    expect(await first.findEnded([left.id])).toEqual([left.id]);
    expect(await second.findEnded([theirs.id])).toEqual([]);
  });

  test('never take themselves for dead, however long they slept', async () => {
    const { first, clock } = await openPair(backend);
    const [claimed, twin] = [aGeneration(), aGeneration()];
    const creation = aCreation(claimed.id);
    await first.claim(creation, claimed);
    clock.advance(10 * leaseMs);
    expect(await first.recover(recovery)).toEqual([]);
    expect(await first.claim(aCreation(twin.id), twin)).toMatchObject({ id: creation.id });
    expect(await first.markSending(creation.id)).toBe(true);
  });

  test('that are closed leave their unfinished work to the others at once', async () => {
    const { first, second } = await openPair(backend);
    const generation = aGeneration();
    const creation = aCreation(generation.id);
    await first.claim(creation, generation);
    await first.markSending(creation.id);
    await first.close();
    expect(await second.recover(recovery)).toMatchObject([{ id: generation.id, status: 'UNKNOWN' }]);
  });
}

import { expect, test } from 'vitest';
import { expireFirst, leaseMs, openGivenUp, openPair } from './instance-pairs.ts';
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
import { sharingOf } from '../support/sharing.ts';

export function instanceConformance(backend: Backend): void {
  test('share one secret and see the same records', async () => {
    const { first, second } = await openPair(backend);
    expect(await second.secret()).toEqual(await first.secret());
    const generation = await record(first);
    expect(await second.findGenerations(owner, [generation.id])).toEqual([generation]);
    expect(second.instanceId).not.toBe(first.instanceId);
  });

  test('find a task as another instance has last saved or deleted it', async () => {
    const { first, second } = await openPair(backend);
    const find = async () => {
      await second.measureTasks(owner, ['task_1']);
      return (await second.findTasks(owner, ['task_1']))[0];
    };
    for (const progress of [0.1, 0.2, 0.3]) {
      const task = buildTask({ progress, updatedAt: 1 });
      await first.saveTask(task);
      expect([await find(), await find()]).toEqual([task, task]);
    }
    await first.sweep({ ...noneAbandoned, keysBefore: 0, generationsBefore: 2, limit: 10 });
    expect([await find(), await find()]).toEqual([undefined, undefined]);
  });

  test('know which of the others may be alive', async () => {
    const pair = await openPair(backend);
    const { clock, first, second } = pair;
    const { instanceId } = first;
    expect(await sharingOf(second).isAlive(instanceId)).toBe(true);
    expect(await sharingOf(second).isAlive('instance_unknown')).toBe(false);
    // Nobody has taken its work yet.
    await expireFirst(pair);
    expect(await sharingOf(second).isAlive(instanceId)).toBe(false);
    await sharingOf(first).renewLease();
    expect(await sharingOf(second).isAlive(instanceId)).toBe(true);
    clock.advance(leaseMs / 4);
    await first.close();
    expect(await sharingOf(second).isAlive(instanceId)).toBe(false);
  });

  test('do not touch the work of an instance that renews its lease', async () => {
    const { clock, first, second } = await openPair(backend);
    await record(first, { finishedAt: undefined, status: 'RUNNING' });
    for (let renewals = 0; renewals < 9; renewals += 1) {
      await sharingOf(first).renewLease();
      await sharingOf(second).renewLease();
      expect(await recoverAll(second)).toEqual([]);
      clock.advance(leaseMs / 4);
    }
  });

  test('let one of 100 concurrent claims of one key through', async () => {
    const { first, second } = await openPair(backend);
    const claims = Array.from({ length: 100 }, (_, index) => {
      const generation = buildGeneration();
      return (index % 2 === 0 ? first : second).claim(buildCreation(generation.id), generation);
    });
    const holders = await Promise.all(claims);
    expect(holders.filter((holder) => holder === undefined)).toHaveLength(1);
    expect(new Set(holders.flatMap((holder) => holder?.id ?? [])).size).toBe(1);
  });

  test('lose no write under concurrent load', async () => {
    const { first, second } = await openPair(backend);
    const written = await Promise.all(
      Array.from({ length: 200 }, (_, index) => record(index % 2 === 0 ? first : second)),
    );
    const ids = written.map(({ id }) => id);
    expect(await first.findGenerations(owner, ids)).toEqual(written);
  });

  test('do not touch the work of another instance with a valid lease', async () => {
    const pair = await openPair(backend);
    const { first, second, clock } = pair;
    const generation = buildGeneration();
    await first.claim(buildCreation(generation.id), generation);
    expect(await recoverAll(second)).toEqual([]);
    clock.advance(leaseMs - 1);
    expect(await recoverAll(second)).toEqual([]);
    const duplicate = buildGeneration();
    expect(await second.claim(buildCreation(duplicate.id), duplicate)).toMatchObject({ phase: 'SENDING' });
    await sharingOf(first).renewLease();
    clock.advance(leaseMs - 1);
    expect(await recoverAll(second)).toEqual([]);
  });

  test('do not take over a create that a dead instance may have sent: its outcome is UNKNOWN', async () => {
    const pair = await openPair(backend);
    const { first, second } = pair;
    const [mine, duplicate] = [buildGeneration({ isVisible: false }), buildGeneration()];
    const sending = buildCreation(mine.id);
    await first.claim(sending, mine);
    await expireFirst(pair);
    expect(await second.claim(buildCreation(duplicate.id), duplicate)).toMatchObject({
      id: sending.id,
      phase: 'SENDING',
    });
    const unknown = { ...mine, ...recovery.unknown };
    expect(await recoverAll(second)).toEqual([toSummary(unknown)]);
    expect(await second.findGenerations(owner, [mine.id])).toEqual([unknown]);
    expect(await second.claim(buildCreation(duplicate.id), duplicate)).toMatchObject({
      id: sending.id,
      phase: 'UNKNOWN',
    });
    expect(await recoverAll(second)).toEqual([]);
  });

  test('settle the orphans of a dead instance: running generations keep their saved output', async () => {
    const pair = await openPair(backend);
    const { first, second } = pair;
    const [running, queued, done] = [buildGeneration(), buildGeneration(), buildGeneration()];
    for (const [generation, patch] of [
      [running, {}],
      [queued, { taskId: 'task_1', status: 'QUEUED' }],
      [done, { status: 'SUCCEEDED', finishedAt: 2000 }],
    ] as const) {
      const creation = buildCreation(generation.id, { key: generation.id });
      await first.claim(creation, generation);
      await first.settle(creation.id, { phase: 'SETTLED', generation: patch });
    }
    await first.saveOutput(running.id, { type: 'prefix' });
    await expireFirst(pair);
    const interrupted = { ...running, ...recovery.interrupted, output: { type: 'prefix' } };
    expect(await recoverAll(second)).toEqual([toSummary(interrupted)]);
    expect(await second.findGenerations(owner, [running.id, queued.id, done.id])).toMatchObject([
      interrupted,
      { status: 'QUEUED' },
      { status: 'SUCCEEDED' },
    ]);
    expect(await second.findCreation(owner, running.id)).toMatchObject({ phase: 'SETTLED' });
  });

  test('settle a create by its recorded end if its instance died before it could', async () => {
    const pair = await openPair(backend);
    const { first, second } = pair;
    const endAs = async (status: 'SUCCEEDED' | 'FAILED' | 'UNKNOWN', key: string | undefined) => {
      const generation = buildGeneration();
      const creation = buildCreation(generation.id, { key });
      await first.claim(creation, generation);
      await first.endGeneration(generation.id, { status, finishedAt: 3000 });
      return creation;
    };
    await endAs('SUCCEEDED', 'done');
    await endAs('FAILED', 'failed');
    await endAs('UNKNOWN', 'lost');
    const slow = await endAs('SUCCEEDED', undefined);
    await expireFirst(pair);
    expect(await recoverAll(second)).toEqual([]);
    expect(await second.findCreation(owner, 'done')).toMatchObject({ phase: 'SETTLED' });
    expect(await second.findCreation(owner, 'failed')).toMatchObject({ phase: 'SETTLED' });
    expect(await second.findCreation(owner, 'lost')).toMatchObject({ phase: 'UNKNOWN' });
    const settled = await first.settle(slow.id, { phase: 'SETTLED', generation: { isVisible: true } });
    expect(settled).toMatchObject({ id: slow.subjectId, status: 'SUCCEEDED' });
  });

  test('that were only slow can still settle their create', async () => {
    const { first, second, generation, creation } = await openGivenUp(backend);
    const patch = { status: 'SUCCEEDED', finishedAt: 3000, error: undefined } as const;
    await first.settle(creation.id, { phase: 'SETTLED', generation: patch });
    expect(await second.findCreation(owner, 'client:k')).toMatchObject({ phase: 'SETTLED' });
    expect(await second.findGenerations(owner, [generation.id])).toMatchObject([patch]);
  });

  test('that were only slow can revive a generation that was marked UNKNOWN', async () => {
    const { first, second, generation, creation } = await openGivenUp(backend);
    const patch = { status: 'QUEUED', taskId: 'task_1', isVisible: true } as const;
    const settled = await first.settle(creation.id, { phase: 'SETTLED', generation: patch });
    const revived = { ...generation, ...patch, finishedAt: undefined, error: undefined };
    expect(settled).toEqual(toSummary(revived));
    expect(await second.findGenerations(owner, [generation.id])).toEqual([revived]);
  });

  test('keep a cancellation, whatever outcome the create records later', async () => {
    const pair = await openPair(backend);
    const { first, second } = pair;
    const begin = async (key: string) => {
      const generation = buildGeneration({ isVisible: false });
      const creation = buildCreation(generation.id, { key });
      await first.claim(creation, generation);
      const end = { status: 'CANCELED', finishedAt: 3000, isVisible: true } as const;
      const canceled = { ...generation, ...end };
      expect(await second.endGeneration(generation.id, end)).toEqual(toSummary(canceled));
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
    expect(await recoverAll(second)).toEqual([]);
    const all = [accepted, lost, refused, orphan].map(({ canceled }) => canceled);
    expect(
      await second.findGenerations(
        owner,
        all.map(({ id }) => id),
      ),
    ).toEqual([{ ...accepted.canceled, raw: ['a'] }, ...all.slice(1)]);
    expect(await second.findCreation(owner, 'refused')).toBeUndefined();
    expect(await second.findCreation(owner, 'orphan')).toMatchObject({ phase: 'UNKNOWN' });
  });

  test('find generations that another instance ended by request or deleted, but not those that it ended for them', async () => {
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
    await recoverAll(second);
    expect(await first.findEnded([left.id])).toEqual([]);
    await second.deleteGenerations(owner, [left.id]);
    expect(await first.findEnded([left.id])).toEqual([left.id]);
    expect(await second.findEnded([theirs.id])).toEqual([]);
  });

  test('never consider themselves dead, even after a long sleep', async () => {
    const { first, clock } = await openPair(backend);
    const [sent, duplicate] = [buildGeneration(), buildGeneration()];
    const creation = buildCreation(sent.id);
    await first.claim(creation, sent);
    clock.advance(10 * leaseMs);
    expect(await recoverAll(first)).toEqual([]);
    expect(await first.claim(buildCreation(duplicate.id), duplicate)).toMatchObject({ id: creation.id });
  });

  test('that are closed leave their unfinished work to the others immediately', async () => {
    const { first, second } = await openPair(backend);
    const generation = buildGeneration();
    const creation = buildCreation(generation.id);
    await first.claim(creation, generation);
    await first.close();
    expect(await recoverAll(second)).toMatchObject([{ id: generation.id, status: 'UNKNOWN' }]);
  });
}

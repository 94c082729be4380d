import { expect, test } from 'vitest';
import { RecordsUnavailableError } from '../../src/errors.ts';
import { createOrphanRecovery } from '../../src/generations/orphan-recovery.ts';
import type { Orphan } from '../../src/store/store.ts';
import { createInbox } from '../support/inbox.ts';
import { createManualClock } from '../support/manual-clock.ts';

const orphansOf = (owner: string, count: number): readonly Orphan[] =>
  Array.from({ length: count }, (_, index) => ({ type: 'generation', id: `${owner}${index}`, owner }));

/** A recovery whose batches end when the test says so. */
function start(orphans: readonly Orphan[]) {
  const batches = createInbox<{
    readonly owners: ReadonlySet<string>;
    readonly size: number;
    readonly done: () => void;
    readonly fail: (error: Error) => void;
  }>();
  const recovery = createOrphanRecovery({
    clock: createManualClock(),
    batchSize: 50,
    store: {
      findOrphans: async () => orphans,
      async recover(batch) {
        const { promise, resolve, reject } = Promise.withResolvers<readonly []>();
        const owners = new Set(batch.map(({ owner }) => owner));
        batches.push({
          owners,
          size: batch.length,
          done: () => resolve([]),
          fail: reject,
        });
        return promise;
      },
    },
  });
  return { recovery, batches };
}

test('an owner waits for its own orphans only, which are settled before the rest', async () => {
  const { recovery, batches } = start([...orphansOf('a', 120), ...orphansOf('b', 60), ...orphansOf('c', 1)]);
  await recovery.find();
  expect(recovery.settleFirst('nobody')).toBeUndefined();
  const run = recovery.run();
  expect(await batches.at(0)).toMatchObject({ owners: new Set(['a']), size: 50 });
  const settled = recovery.settleFirst('c');
  const second = await batches.at(1);
  expect(second).toMatchObject({ owners: new Set(['c']), size: 1 });
  second.done();
  await settled;
  expect(recovery.settleFirst('c')).toBeUndefined();
  for (const index of [0, 2, 3, 4, 5]) (await batches.at(index)).done();
  await run;
  expect(batches.all.map(({ size }) => size)).toEqual([50, 1, 50, 20, 50, 10]);
});

test('the rest waits until an owner is settled that was asked for', async () => {
  const { recovery, batches } = start([...orphansOf('a', 120), ...orphansOf('b', 60)]);
  await recovery.find();
  const run = recovery.run();
  const first = await batches.at(0);
  const settled = recovery.settleFirst('b');
  first.done();
  for (const index of [1, 2]) (await batches.at(index)).done();
  await settled;
  for (const index of [3, 4]) (await batches.at(index)).done();
  await run;
  expect(batches.all.map(({ owners }) => [...owners].join())).toEqual(['a', 'b', 'b', 'a', 'a']);
});

test('small owners share a batch', async () => {
  const { recovery, batches } = start(['a', 'b', 'c'].flatMap((owner) => orphansOf(owner, 2)));
  await recovery.find();
  const run = recovery.run();
  const batch = await batches.at(0);
  expect(batch).toMatchObject({ owners: new Set(['a', 'b', 'c']), size: 6 });
  const settled = recovery.settleFirst('b');
  expect(settled).toBeDefined();
  batch.done();
  await Promise.all([settled, run]);
  expect(batches.all).toHaveLength(1);
});

test('a failed attempt is reported to the run, and does not keep its owner waiting', async () => {
  const { recovery, batches } = start(orphansOf('a', 1));
  await recovery.find();
  const run = recovery.run().catch((error: unknown) => error);
  const settled = recovery.settleFirst('a');
  const full = new RecordsUnavailableError('the disk is full');
  (await batches.at(0)).fail(full);
  await settled;
  expect(await run).toBe(full);
  expect(recovery.settleFirst('a')).toBeUndefined();
  await recovery.find();
  const again = recovery.run();
  (await batches.at(1)).done();
  await again;
});

test('a stop ends the run after the batch in progress', async () => {
  const { recovery, batches } = start([...orphansOf('a', 200), ...orphansOf('b', 1)]);
  await recovery.find();
  const run = recovery.run();
  const batch = await batches.at(0);
  recovery.stop();
  batch.done();
  await run;
  expect(batches.all).toHaveLength(1);
});

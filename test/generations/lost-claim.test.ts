import { expect, onTestFinished, test } from 'vitest';
import { RecordsUnavailableError } from '../../src/errors.ts';
import { createSystemClock } from '../../src/lib/clock.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Generation } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { buildGeneration, owner } from '../store/support.ts';
import { openCreations } from '../support/creations.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('a create whose claim is lost before it is sent claims its key again and is sent once', async () => {
  const records = await createSqliteStore({ directory: ':memory:', clock: createSystemClock() });
  onTestFinished(() => records.close());
  const marks: boolean[] = [];
  const store: Store = {
    ...records,
    async markSending(creationId) {
      // Simulates another instance that considers this one dead and releases its claims.
      if (marks.length === 0) await records.release(creationId);
      const isMarked = await records.markSending(creationId);
      marks.push(isMarked);
      return isMarked;
    },
  };
  const generation = buildGeneration({ isVisible: false });
  let sent = 0;
  const clock = createSystemClock();
  const result = await openCreations(store, clock).create({
    owner,
    operation: 'chat',
    input: {},
    key: { source: 'client', value: 'k' },
    subjectId: generation.id,
    generation,
    async run(claim) {
      sent += 1;
      await claim.settle({ generation: { isVisible: true } });
      return 'sent';
    },
    replay: async () => 'replayed',
  });
  expect([result, sent, marks]).toEqual(['sent', 1, [false, true]]);
  expect(await records.findGenerations(owner, [generation.id])).toEqual([{ ...generation, isVisible: true }]);
});

test('a create that is canceled after the reply to its mark was lost is not sent by a retry with its key', async () => {
  const clock = createManualClock();
  const records = await createSqliteStore({ directory: ':memory:', clock });
  onTestFinished(() => records.close());
  const canceled = buildGeneration({ isVisible: false });
  const store: Store = {
    ...records,
    async markSending(creationId) {
      await records.markSending(creationId);
      await records.endGeneration(canceled.id, { status: 'CANCELED', finishedAt: 5, isVisible: true });
      throw new RecordsUnavailableError('The reply was lost');
    },
  };
  const creations = openCreations(store, clock);
  const create = (generation: Generation) =>
    creations.create({
      owner,
      operation: 'chat',
      input: {},
      key: { source: 'client', value: 'k' },
      subjectId: generation.id,
      generation,
      run: async () => 'sent',
      replay: async (id) => id,
    });
  await expect(create(canceled)).rejects.toThrow('The reply was lost');
  // At once, and after the release in the background.
  expect(await create(buildGeneration({ isVisible: false }))).toBe(canceled.id);
  clock.advance(10_000);
  await records.findCreation(owner, 'client:k');
  expect(await create(buildGeneration({ isVisible: false }))).toBe(canceled.id);
});

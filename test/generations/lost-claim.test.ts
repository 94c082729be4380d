import { expect, onTestFinished, test } from 'vitest';
import { RecordsUnavailableError } from '../../src/errors.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Generation } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { buildGeneration, owner } from '../store/support.ts';
import { createInbox } from '../support/inbox.ts';
import { openCreations } from '../support/creations.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('a create that is canceled after the reply to its claim was lost is not sent by a retry with its key', async () => {
  const clock = createManualClock();
  const records = await createSqliteStore({ directory: ':memory:', clock });
  onTestFinished(() => records.close());
  const canceled = buildGeneration({ isVisible: false });
  const store: Store = {
    ...records,
    async claim(...claim) {
      const holder = await records.claim(...claim);
      if (holder) return holder;
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

test('an operation that is repeated while the key of its first attempt is released is sent once', async () => {
  const clock = createManualClock();
  const records = await createSqliteStore({ directory: ':memory:', clock });
  onTestFinished(() => records.close());
  const mayRelease = Promise.withResolvers<void>();
  const calls = createInbox<string>();
  const store: Store = {
    ...records,
    async claim(...claim) {
      const holder = await records.claim(...claim);
      calls.push(holder ? 'in use' : 'claimed');
      return holder;
    },
    async findCreation(...find) {
      const found = await records.findCreation(...find);
      calls.push('read again');
      return found;
    },
    async release(...release) {
      calls.push('release');
      await mayRelease.promise;
      return records.release(...release);
    },
  };
  const creations = openCreations(store, clock);
  let sent = 0;
  const create = (isAwaited: () => boolean) => {
    const generation = buildGeneration({ isVisible: false });
    return creations.create({
      owner,
      operation: 'chat',
      input: {},
      key: { source: 'operation', value: 'k' },
      subjectId: generation.id,
      generation,
      isAwaited,
      async run(claim) {
        sent += 1;
        await claim.settle({ generation: { isVisible: true } });
        return 'sent';
      },
      replay: async (id) => id,
    });
  };
  const left = create(() => false);
  left.catch(() => {});
  await calls.when((all) => all.includes('release'));
  const repeated = create(() => true);
  repeated.catch(() => {});
  expect((await calls.when((all) => all.length > 3)).slice(2)).toEqual(['in use', 'release']);
  mayRelease.resolve();
  await expect(left).rejects.toThrow('The client left before its create was sent');
  expect(await repeated).toBe('sent');
  expect(sent).toBe(1);
});

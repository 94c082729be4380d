import { expect, onTestFinished, test } from 'vitest';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { openCreations } from '../support/creations.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { buildGeneration, owner } from '../store/support.ts';

test('a create that waits for minutes before its claim counts in the minute of its claim', async () => {
  const clock = createManualClock();
  const store = await createSqliteStore({ directory: ':memory:', clock });
  onTestFinished(() => store.close());
  const creations = openCreations(store, clock);
  const create = (waits?: Promise<void>): Promise<string> => {
    const generation = buildGeneration({ isVisible: false, createdAt: clock.now() });
    return creations.create({
      owner,
      operation: 'chat',
      input: {},
      key: undefined,
      limits: { createsPerMinute: 1 },
      subjectId: generation.id,
      generation,
      ...(waits && { prepare: () => waits.then(() => generation) }),
      async run(claim) {
        await claim.settle({ generation: { isVisible: true } });
        return 'sent';
      },
      replay: async () => 'replayed',
    });
  };
  const read = Promise.withResolvers<void>();
  const waiting = create(read.promise);
  clock.advance(180_000);
  expect(await create()).toBe('sent');
  read.resolve();
  await expect(waiting).rejects.toMatchObject({ code: 'RATE_LIMITED', limit: 'CREATES_PER_MINUTE' });
  await expect(create()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

import { expect, onTestFinished, test } from 'vitest';
import { RecordsUnavailableError } from '../../src/errors.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { buildGeneration, owner } from '../store/support.ts';
import { openCreations } from '../support/creations.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('creates that fail for a long time leave a limited number of keys to release, and work again afterwards', async () => {
  const clock = createManualClock();
  const records = await createSqliteStore({ directory: ':memory:', clock });
  onTestFinished(() => records.close());
  const full = new RecordsUnavailableError('The disk is full');
  let isFull = true;
  let claims = 0;
  const store: Store = {
    ...records,
    async claim(...parameters) {
      claims += 1;
      if (isFull) throw full;
      return records.claim(...parameters);
    },
    async release(...parameters) {
      if (isFull) throw full;
      return records.release(...parameters);
    },
  };
  const creations = openCreations(store, clock);
  const create = () => {
    const generation = buildGeneration({ isVisible: false });
    return creations.create({
      owner,
      operation: 'chat',
      input: {},
      key: undefined,
      subjectId: generation.id,
      generation,
      async run(claim) {
        await claim.settle({ generation: { isVisible: true } });
        return 'sent';
      },
      replay: async () => 'replayed',
    });
  };
  const outcomes = new Set<string>();
  for (let index = 0; index < 20_100; index += 1)
    outcomes.add(await create().catch((error: unknown) => (error instanceof Error ? error.name : 'unknown')));
  expect([...outcomes]).toEqual([full.name]);
  expect(claims).toBe(20_000);
  isFull = false;
  clock.advance(500);
  await expect.poll(() => create().catch(() => 'failed')).toBe('sent');
});

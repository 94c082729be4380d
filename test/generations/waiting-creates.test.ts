import { expect, onTestFinished, test } from 'vitest';
import { RateLimitError } from '../../src/errors.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { openCreations } from '../support/creations.ts';
import { iterationsOf } from '../support/iterations.ts';
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

test.each([
  ['is answered', () => 'sent'],
  [
    'is refused',
    () => {
      throw new RateLimitError('Slow down.');
    },
  ],
])('duplicates of one create go on in turns when it %s', async (_what, answer) => {
  const clock = createManualClock();
  const store = await createSqliteStore({ directory: ':memory:', clock });
  onTestFinished(() => store.close());
  const creations = openCreations(store, clock);
  const sent = Promise.withResolvers<void>();
  const reply = Promise.withResolvers<void>();
  const create = (): Promise<string> =>
    creations.create({
      owner,
      operation: 'chat',
      input: {},
      key: { source: 'client', value: 'k' },
      subjectId: 'chat-1',
      run() {
        sent.resolve();
        return reply.promise.then(answer);
      },
      replay: async () => 'replayed',
    });
  const first = create().catch(() => {});
  await sent.promise;
  const duplicates = Array.from({ length: 5 }, create);
  expect(await iterationsOf(duplicates, reply.resolve)).toBe(5);
  await first;
});

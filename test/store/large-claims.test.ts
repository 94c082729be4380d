import { expect, onTestFinished, test, vi } from 'vitest';
import { createSystemClock } from '../../src/lib/clock.ts';
import { largeWork } from '../../src/lib/fairness/large-work.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { createDatabase } from '../support/postgres.ts';
import { buildCreation, buildGeneration, owner } from './support.ts';

test('a large claim in PostgreSQL is written in pieces, and a small one in one step', async () => {
  const nextPiece = vi.spyOn(largeWork, 'nextPiece');
  onTestFinished(() => nextPiece.mockRestore());
  const store = await createPostgresStore({
    url: await createDatabase(),
    clock: createSystemClock(),
  });
  onTestFinished(() => store.close());
  const claim = async (chars: number): Promise<number> => {
    const input = { messages: Array.from({ length: 8 }, () => ({ content: '"x'.repeat(chars / 16) })) };
    const generation = buildGeneration({ input, finishedAt: undefined, status: 'RUNNING', isVisible: false });
    nextPiece.mockClear();
    const creation = buildCreation(generation.id, { key: undefined });
    await store.claim(creation, generation);
    const pieces = nextPiece.mock.calls.length;
    await store.settle(creation.id, { phase: 'SETTLED', generation: { isVisible: true } });
    const [stored] = await store.findGenerations(owner, [generation.id]);
    // A difference would be megabytes in the report.
    expect(JSON.stringify(stored?.input) === JSON.stringify(input)).toBe(true);
    return pieces;
  };
  expect(await claim(16_000)).toBe(0);
  expect(await claim(8_000_000)).toBeGreaterThanOrEqual(8);
});

import { expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { startApp, systemToken } from '../support/app.ts';

/** A program whose store reports this many records, up to the limit of each count. Keeps the limits. */
async function startCounting(stored: number) {
  const limits: number[] = [];
  const count = async (limit: number): Promise<number> => {
    limits.push(limit);
    return Math.min(stored, limit);
  };
  const wrapStore = (store: Store): Store => ({
    ...store,
    countGenerations: (_owner, _filter, limit) => count(limit),
    countAccessTokens: (_owner, limit) => count(limit),
  });
  return { app: await startApp({ overrides: { wrapStore } }), limits };
}

test.each([
  [9999, 9999, false],
  [10_000, 10_000, false],
  [10_001, 10_000, true],
  [1_000_000, 10_000, true],
])('%i records have a count of %i', async (stored, totalCount, isTotalCapped) => {
  const { app, limits } = await startCounting(stored);
  await using _app = app;
  for (const [list, headers] of [
    ['generations', { authorization: 'Bearer sk-sandbox' }],
    ['accessTokens', systemToken],
  ] as const) {
    const { data } = await app.run(`{ ${list} { totalCount isTotalCapped } }`, {}, { headers });
    expect(data).toEqual({ [list]: { totalCount, isTotalCapped } });
  }
  // Both fields of a list share one count.
  expect(limits).toEqual([10_001, 10_001]);
});

test('records are counted only if a client selects the count', async () => {
  const { app, limits } = await startCounting(5);
  await using _app = app;
  await app.run('{ generations { edges { cursor } pageInfo { hasNextPage } } }');
  const tokens = '{ accessTokens { edges { cursor } pageInfo { hasNextPage } } }';
  expect((await app.run(tokens, {}, { headers: systemToken })).errors).toBeUndefined();
  expect(limits).toEqual([]);
  await app.run('{ generations { isTotalCapped } }');
  expect(limits).toEqual([10_001]);
});

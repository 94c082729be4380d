import { describe, expect, test } from 'vitest';
import { followValues } from '../../src/lib/follow.ts';
import { mapIterator } from '../../src/lib/iterate.ts';

/** An iterator that records whether it was returned. */
function createNumbers(...numbers: readonly number[]) {
  const source = followValues(numbers);
  const state = { isReturned: false };
  const iterator: AsyncIterator<number, undefined> = {
    next: () => source.next(),
    async return() {
      state.isReturned = true;
      return { done: true, value: undefined };
    },
  };
  return { iterator, state };
}

async function all<T>(iterator: AsyncIterable<T>): Promise<readonly T[]> {
  const values: T[] = [];
  for await (const value of iterator) values.push(value);
  return values;
}

describe('mapIterator', () => {
  test('maps each value, synchronously or asynchronously', async () => {
    expect(await all(mapIterator(followValues([1, 2]), (value) => value * 2))).toEqual([2, 4]);
    expect(await all(mapIterator(followValues([1, 2]), async (value) => value * 2))).toEqual([2, 4]);
  });

  test('returns its source on return(), even while next() is pending', async () => {
    const { promise, resolve } = Promise.withResolvers<IteratorResult<number>>();
    const source: AsyncIterator<number> = {
      next: () => promise,
      async return() {
        resolve({ done: true, value: undefined });
        return { done: true, value: undefined };
      },
    };
    const mapped = mapIterator(source, (value) => value);
    const next = mapped.next();
    expect(await mapped.return?.()).toEqual({ done: true, value: undefined });
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test('returns its source on throw() and rejects with the error', async () => {
    const { iterator, state } = createNumbers(1);
    await expect(mapIterator(iterator, (value) => value).throw?.(new Error('x'))).rejects.toThrow('x');
    expect(state.isReturned).toBe(true);
  });

  test.each(['throws', 'rejects'])('returns its source when the mapping %s', async (how) => {
    const { iterator, state } = createNumbers(1, 2);
    const mapped = mapIterator(iterator, (): number | Promise<number> => {
      if (how === 'throws') throw new Error('no map');
      return Promise.reject(new Error('no map'));
    });
    await expect(mapped.next()).rejects.toThrow('no map');
    expect(state.isReturned).toBe(true);
  });
});

describe('followValues', () => {
  test('yields every value', async () => {
    expect(await all(followValues([1, 2]))).toEqual([1, 2]);
  });

  test('is done after return()', async () => {
    const iterator = followValues([1, 2]);
    await iterator.next();
    await iterator.return?.();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });
});

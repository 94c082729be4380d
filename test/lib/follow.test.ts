import { expect, test } from 'vitest';
import { follow, type FollowSource, type TakeResult } from '../../src/lib/follow.ts';

/** A source over a list. It coalesces the items that a reader missed and counts its listeners. */
function createSource() {
  const wakes = new Set<() => void>();
  const items: number[] = [];
  let isEnded = false;
  let failure: Error | undefined;
  let opened = 0;
  const wakeAll = (): void => {
    for (const wake of wakes) wake();
  };
  return {
    get listeners() {
      return wakes.size;
    },
    get opened() {
      return opened;
    },
    push(...added: readonly number[]) {
      items.push(...added);
      wakeAll();
    },
    end() {
      isEnded = true;
      wakeAll();
    },
    fail(error: Error) {
      failure = error;
      wakeAll();
    },
    wakeAll,
    reader(): FollowSource<readonly number[]> {
      let taken = 0;
      return {
        open(wake) {
          opened += 1;
          wakes.add(wake);
          return () => void wakes.delete(wake);
        },
        take(): TakeResult<readonly number[]> {
          if (failure) throw failure;
          if (taken < items.length) {
            const value = items.slice(taken);
            taken = items.length;
            return { value };
          }
          return isEnded ? 'end' : 'wait';
        },
      };
    },
  };
}

const done = { done: true, value: undefined };

test('a slow reader gets the missed items as one value', async () => {
  const source = createSource();
  const reader = follow(source.reader());
  source.push(1);
  source.push(2, 3);
  expect(await reader.next()).toEqual({ done: false, value: [1, 2, 3] });
  source.push(4);
  expect(await reader.next()).toEqual({ done: false, value: [4] });
});

test('a pending next() resolves when an item arrives', async () => {
  const source = createSource();
  const reader = follow(source.reader());
  const next = reader.next();
  source.push(1);
  expect(await next).toEqual({ done: false, value: [1] });
});

test('several pending next() calls resolve in order, the last one with the end', async () => {
  const source = createSource();
  const reader = follow(source.reader());
  const waiting = [reader.next(), reader.next(), reader.next()];
  source.push(1);
  source.push(2);
  source.end();
  expect(await Promise.all(waiting)).toEqual([
    { done: false, value: [1] },
    { done: false, value: [2] },
    done,
  ]);
});

test('items that precede the end are delivered before the end', async () => {
  const source = createSource();
  const reader = follow(source.reader());
  source.push(1);
  source.end();
  const all = [];
  for await (const value of reader) all.push(value);
  expect(all).toEqual([[1]]);
  expect(source.listeners).toBe(0);
});

test('a wake-up without a new item is harmless', async () => {
  const source = createSource();
  const reader = follow(source.reader());
  const next = reader.next();
  source.wakeAll();
  source.wakeAll();
  source.push(1);
  expect(await next).toEqual({ done: false, value: [1] });
});

test('return() ends a pending next() and closes the source immediately', async () => {
  const source = createSource();
  const reader = follow(source.reader());
  const next = reader.next();
  expect(source.listeners).toBe(1);
  expect(await reader.return?.()).toEqual(done);
  expect(source.listeners).toBe(0);
  expect(await next).toEqual(done);
  source.push(1);
  expect(await reader.next()).toEqual(done);
});

test('return() before the first next() never opens the source', async () => {
  const source = createSource();
  const reader = follow(source.reader());
  await reader.return?.();
  expect(await reader.next()).toEqual(done);
  expect(source.opened).toBe(0);
});

test('the first next() opens the source, once', async () => {
  const source = createSource();
  const reader = follow(source.reader());
  expect(source.opened).toBe(0);
  const waiting = [reader.next(), reader.next()];
  expect(source.opened).toBe(1);
  await reader.return?.();
  await Promise.all(waiting);
});

test('throw() closes the source and rejects with the error', async () => {
  const source = createSource();
  const reader = follow(source.reader());
  const next = reader.next();
  await expect(reader.throw?.(new Error('enough'))).rejects.toThrow('enough');
  expect(await next).toEqual(done);
  expect(source.listeners).toBe(0);
});

test('a failure rejects the first pending next(), ends the others and closes the source', async () => {
  const source = createSource();
  const reader = follow(source.reader());
  const [first, second] = [reader.next(), reader.next()];
  source.fail(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  expect(await second).toEqual(done);
  expect(source.listeners).toBe(0);
});

test('a failure of the first take closes the source', async () => {
  const source = createSource();
  const reader = follow(source.reader());
  source.fail(new Error('broken'));
  await expect(reader.next()).rejects.toThrow('broken');
  expect(source.listeners).toBe(0);
  expect(await reader.next()).toEqual(done);
});

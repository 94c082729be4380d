import { expect, test } from 'vitest';
import { type ByteHold, createByteHolds } from '../../../src/lib/fairness/byte-holds.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Reserves bytes, and notes the name when they are granted. */
function startHolds(maxBytes: number, maxTotalBytes?: number) {
  const holds = createByteHolds({ maxBytes, maxTotalBytes });
  const granted: string[] = [];
  const reserve = (name: string, hold: ByteHold, bytes: number): void =>
    void hold.reserve(bytes).then(() => granted.push(name));
  return { holds, granted, reserve };
}

test('work waits until its party has room, and parties do not wait for each other', async () => {
  const { holds, granted, reserve } = startHolds(10);
  const [a, b, c, other] = [holds.open('x'), holds.open('x'), holds.open('x'), holds.open('y')];
  reserve('a', a, 8);
  reserve('b', b, 8);
  reserve('c', c, 1);
  reserve('other', other, 8);
  await settle();
  expect(granted).toEqual(['a', 'other']);
  expect(holds.bytes).toBe(16);
  a.release();
  await settle();
  expect(granted).toEqual(['a', 'other', 'b', 'c']);
  for (const hold of [b, c, other]) hold.release();
  expect(holds.bytes).toBe(0);
});

test('the oldest work gets more bytes than the limit, and each of the others in its turn', async () => {
  const { holds, granted, reserve } = startHolds(10);
  const [a, b, late] = [holds.open('x'), holds.open('x'), holds.open('x')];
  reserve('a', a, 4);
  reserve('b', b, 4);
  reserve('late', late, 9);
  reserve('b again', b, 20);
  reserve('a again', a, 20);
  await settle();
  expect(granted).toEqual(['a', 'b', 'a again']);
  a.release();
  await settle();
  expect(granted).toEqual(['a', 'b', 'a again', 'b again']);
  b.release();
  await settle();
  expect(granted.at(-1)).toBe('late');
});

test('work that is larger than the limit runs alone, and released work does not wait', async () => {
  const { holds, granted, reserve } = startHolds(10);
  const [large, next] = [holds.open('x'), holds.open('x')];
  reserve('large', large, 50);
  reserve('next', next, 1);
  await settle();
  expect(granted).toEqual(['large']);
  next.release();
  next.release();
  large.release();
  await settle();
  expect(granted).toEqual(['large', 'next']);
  expect(holds.bytes).toBe(0);
});

test('the work of all parties has a limit, in turns of the parties, that little work does not wait for', async () => {
  const mb = 1_000_000;
  const { holds, granted, reserve } = startHolds(10 * mb, 16 * mb);
  const [a, b, little] = [holds.open('x'), holds.open('y'), holds.open('y')];
  const [c, d] = [holds.open('z'), holds.open('z')];
  reserve('a', a, 10 * mb);
  reserve('b', b, 9 * mb);
  reserve('c', c, 5 * mb);
  reserve('d', d, 5 * mb);
  reserve('little', little, 1000);
  await settle();
  expect(granted).toEqual(['a', 'c', 'little']);
  a.release();
  await settle();
  // The oldest work may exceed the limits.
  reserve('c again', c, 20 * mb);
  await settle();
  expect(granted).toEqual(['a', 'c', 'little', 'b', 'c again']);
  for (const hold of [b, c, d, little]) hold.release();
  await settle();
  expect(granted).toEqual(['a', 'c', 'little', 'b', 'c again', 'd']);
  expect(holds.bytes).toBe(0);
});

import { expect, test } from 'vitest';
import { trendOf } from './trend.ts';

const series = { name: 'heap', unit: 'MB', maxGrowth: 5 };
/** Deterministic noise between -1 and 1. */
const noise = (index: number): number => Math.sin(index * 12.9898);

test('a figure that grows in the second half is not flat, despite noise', () => {
  const values = Array.from({ length: 60 }, (_, index) => 50 + index * 0.3 + noise(index));
  expect(trendOf({ ...series, values })).toMatchObject({ isFlat: false });
});

test('a figure that grows only while it warms up, shrinks, or varies is flat', () => {
  const warming = Array.from({ length: 60 }, (_, index) => Math.min(index, 30) * 4 + noise(index));
  expect(trendOf({ ...series, values: warming })).toMatchObject({ isFlat: true });
  const shrinking = Array.from({ length: 60 }, (_, index) => 100 - index);
  expect(trendOf({ ...series, values: shrinking })).toMatchObject({ isFlat: true });
  expect(trendOf({ ...series, values: [7, 7, 7, 7] })).toMatchObject({ mean: 7, growth: 0, isFlat: true });
});

test('a run without samples is not flat', () => {
  expect(trendOf({ ...series, values: [] })).toMatchObject({ isFlat: false });
});

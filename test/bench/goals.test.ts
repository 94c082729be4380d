import { expect, test } from 'vitest';
import { describeTarget, distanceToAim, isMet } from './goals.ts';

test('a cost meets its target at or below it', () => {
  const goal = { value: 1.9, must: 1.9, aim: 0.95, measure: 'ratio' } as const;
  expect([isMet(goal), isMet({ ...goal, value: 1.91 })]).toEqual([true, false]);
  expect(distanceToAim(goal)).toBe(2);
});

test('a rate meets its target at or above it', () => {
  const goal = { value: 16_000, must: 16_000, aim: 24_000, measure: 'rate' } as const;
  expect([isMet(goal), isMet({ ...goal, value: 15_999 })]).toEqual([true, false]);
  expect(distanceToAim(goal)).toBe(1.5);
});

test('a target names what it compares', () => {
  const texts = [
    describeTarget(1.9, 'ratio', 'µs'),
    describeTarget(0.9, 'yoga-ratio', 'µs'),
    describeTarget(90, 'added', 'µs'),
    describeTarget(80, 'value', 'KB'),
    describeTarget(16_000, 'rate', 'tokens/s'),
  ];
  expect(texts).toEqual(['≤ 1.9 ×', '≤ 0.9 × Yoga', '≤ +90 µs', '≤ 80 KB', '≥ 16000 tokens/s']);
});

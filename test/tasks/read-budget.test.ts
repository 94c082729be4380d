import { describe, expect, test } from 'vitest';
import { createReadBudget } from '../../src/tasks/read-budget.ts';
import { createManualClock } from '../support/manual-clock.ts';

function start() {
  const clock = createManualClock();
  return { clock, budget: createReadBudget({ clock, perOwner: 2, inTotal: 10 }) };
}

describe('reads of unwatched tasks', () => {
  test('of one owner have the interval of the owner', () => {
    const { clock, budget } = start();
    expect([1, 2, 3].map(() => budget.reserve('a'))).toEqual([0, 500, 1000]);
    clock.advance(700);
    expect(budget.reserve('a')).toBe(800);
    clock.advance(10_000);
    expect(budget.reserve('a')).toBe(0);
  });

  test('of all owners have the interval of the process', () => {
    const { budget } = start();
    const waits = Array.from({ length: 25 }, (_, index) => budget.reserve(`owner-${index}`));
    expect(waits).toEqual(Array.from({ length: 25 }, (_, index) => index * 100));
  });

  test('of one owner with many tasks do not delay the reads of others', () => {
    const { budget } = start();
    for (let index = 0; index < 20; index += 1) budget.reserve('greedy');
    // Twenty reads take twenty slots of the process, not the ten seconds of their owner.
    expect(budget.reserve('other')).toBe(2000);
  });

  test('have a limited number of known owners', () => {
    const { clock, budget } = start();
    for (let index = 0; index < 20_000; index += 1) budget.reserve(`owner-${index}`);
    // The latest owner is still known, although the map removed the oldest ones.
    clock.advance(1_999_900);
    expect(budget.reserve('owner-19999')).toBe(500);
  });
});

import { expect, test } from 'vitest';
import { FairQueue, noLimits, type PathStep } from '../../../src/lib/fairness/fair-queue.ts';

function pathTo(...keys: readonly string[]): readonly PathStep[] {
  return keys.map((key) => ({ key, limits: noLimits }));
}

function limitedTo(running: number, ...keys: readonly string[]): readonly PathStep[] {
  return keys.map((key) => ({ key, limits: { ...noLimits, running } }));
}

test('groups take turns at each level', () => {
  const groups = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3']) groups.push(groups.locate(pathTo('first', 'a')), item);
  for (const item of ['b1', 'b2']) groups.push(groups.locate(pathTo('first', 'b')), item);
  for (const item of ['c1', 'c2', 'c3']) groups.push(groups.locate(pathTo('second', 'c')), item);
  const order = Array.from({ length: 9 }, () => groups.shift());
  expect(order).toEqual(['a1', 'c1', 'b1', 'c2', 'a2', 'c3', 'b2', 'a3', undefined]);
  expect(groups.hasNext).toBe(false);
  expect(groups.waiting).toBe(0);
});

test('a full group is skipped until one of its operations ends', () => {
  const groups = new FairQueue<string>();
  const full = groups.locate(limitedTo(1, 'a'));
  groups.change(full, 'running', 1);
  expect(groups.hasRoom(full, 'running')).toBe(false);
  groups.push(full, 'a1');
  groups.push(groups.locate(pathTo('b')), 'b1');
  expect(groups.shift()).toBe('b1');
  expect(groups.shift()).toBeUndefined();
  expect(groups.hasNext).toBe(false);
  groups.change(full, 'running', -1);
  expect(groups.hasNext).toBe(true);
  expect(groups.shift()).toBe('a1');
});

test('a group is full when a group above it is full', () => {
  const groups = new FairQueue<string>();
  const [top] = limitedTo(1, 'a');
  const path = (key: string): readonly PathStep[] => [...(top ? [top] : []), ...pathTo(key)];
  groups.change(groups.locate(path('x')), 'running', 1);
  const other = groups.locate(path('y'));
  expect(groups.hasRoom(other, 'running')).toBe(false);
  groups.push(other, 'y1');
  expect(groups.shift()).toBeUndefined();
  groups.change(groups.locate(path('x')), 'running', -1);
  expect(groups.shift()).toBe('y1');
});

test('a removed item is not returned', () => {
  const groups = new FairQueue<string>();
  const group = groups.locate(pathTo('a'));
  groups.push(group, 'a1');
  groups.remove(group, 'a1');
  groups.remove(group, 'a1');
  expect(groups.hasNext).toBe(false);
  expect(groups.waiting).toBe(0);
  expect(groups.shift()).toBeUndefined();
});

test('empty groups are deleted', () => {
  const groups = new FairQueue<string>();
  const first = groups.locate(pathTo('a', 'b'));
  groups.change(first, 'open', 1);
  expect(groups.locate(pathTo('a', 'b'))).toBe(first);
  groups.change(first, 'open', -1);
  expect(groups.locate(pathTo('a', 'b'))).not.toBe(first);
});

test('the group of a returned item stays until it is empty again', () => {
  const groups = new FairQueue<string>();
  const group = groups.locate(pathTo('a', 'b'));
  groups.push(group, 'item');
  expect(groups.shift()).toBe('item');
  groups.change(group, 'running', 1);
  expect(groups.locate(pathTo('a', 'b'))).toBe(group);
});

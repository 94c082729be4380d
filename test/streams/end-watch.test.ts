import { describe, expect, test } from 'vitest';
import { createEndWatch, checkIntervalMs } from '../../src/streams/end-watch.ts';
import { createManualClock } from '../support/manual-clock.ts';

/** An end watch whose checks the test answers by hand. */
function open() {
  const clock = createManualClock();
  const checks: {
    readonly ids: readonly string[];
    readonly answer: PromiseWithResolvers<readonly string[]>;
  }[] = [];
  const failures: unknown[] = [];
  const ended: string[] = [];
  const watch = createEndWatch({
    clock,
    findEnded(ids) {
      const answer = Promise.withResolvers<readonly string[]>();
      checks.push({ ids, answer });
      return answer.promise;
    },
    onFailed: (error) => failures.push(error),
  });
  const add = (id: string) => watch.add(id, () => ended.push(id));
  return { clock, checks, failures, ended, watch, add };
}

/** Runs the callbacks of promises that are already resolved. */
const flushPromises = () => new Promise((resolve) => setImmediate(resolve));

describe('an end watch', () => {
  test('checks all streams at once and reports each end once', async () => {
    const { clock, checks, ended, add } = open();
    for (const id of ['a', 'b', 'c']) add(id);
    clock.advance(checkIntervalMs - 1);
    expect(checks).toEqual([]);
    clock.advance(1);
    expect(checks.map(({ ids }) => ids)).toEqual([['a', 'b', 'c']]);
    checks[0]?.answer.resolve(['b']);
    await flushPromises();
    clock.advance(checkIntervalMs);
    expect(checks[1]?.ids).toEqual(['a', 'c']);
    expect(ended).toEqual(['b']);
  });

  test('starts no check while another is in flight', async () => {
    const { clock, checks, add } = open();
    add('a');
    clock.advance(10 * checkIntervalMs);
    add('b');
    clock.advance(10 * checkIntervalMs);
    expect(checks).toHaveLength(1);
    checks[0]?.answer.resolve([]);
    await flushPromises();
    clock.advance(checkIntervalMs);
    expect(checks[1]?.ids).toEqual(['a', 'b']);
  });

  test('does not check while it watches nothing', async () => {
    const { clock, checks, add } = open();
    clock.advance(10 * checkIntervalMs);
    const remove = add('a');
    clock.advance(checkIntervalMs);
    remove();
    checks[0]?.answer.resolve(['a']);
    await flushPromises();
    add('b')();
    clock.advance(10 * checkIntervalMs);
    expect(checks).toHaveLength(1);
    expect(clock.pending(checkIntervalMs)).toBe(0);
  });

  test('does not report the end of a removed stream', async () => {
    const { clock, checks, ended, add } = open();
    const remove = add('a');
    add('b');
    clock.advance(checkIntervalMs);
    remove();
    checks[0]?.answer.resolve(['a', 'b']);
    await flushPromises();
    expect(ended).toEqual(['b']);
  });

  test('checks again after a failed check', async () => {
    const { clock, checks, failures, ended, add } = open();
    add('a');
    clock.advance(checkIntervalMs);
    checks[0]?.answer.reject(new Error('disk error'));
    await flushPromises();
    expect(failures).toEqual([new Error('disk error')]);
    clock.advance(checkIntervalMs);
    checks[1]?.answer.resolve(['a']);
    await flushPromises();
    expect(ended).toEqual(['a']);
  });
});

import { describe, expect, test } from 'vitest';
import { createEndWatch, checkIntervalMs } from '../../src/streams/end-watch.ts';
import { createManualClock } from '../support/manual-clock.ts';

/** A watch whose looks a test answers by hand. */
function open() {
  const clock = createManualClock();
  const looks: {
    readonly ids: readonly string[];
    readonly answer: PromiseWithResolvers<readonly string[]>;
  }[] = [];
  const failures: unknown[] = [];
  const told: string[] = [];
  const watch = createEndWatch({
    clock,
    findEnded(ids) {
      const answer = Promise.withResolvers<readonly string[]>();
      looks.push({ ids, answer });
      return answer.promise;
    },
    onFailed: (error) => failures.push(error),
  });
  const add = (id: string) => watch.add(id, () => told.push(id));
  return { clock, looks, failures, told, watch, add };
}

/** Lets what has been resolved go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('what may end elsewhere', () => {
  test('is looked for all at once, and what has ended is told so once', async () => {
    const { clock, looks, told, add } = open();
    for (const id of ['a', 'b', 'c']) add(id);
    clock.advance(checkIntervalMs - 1);
    expect(looks).toEqual([]);
    clock.advance(1);
    expect(looks.map(({ ids }) => ids)).toEqual([['a', 'b', 'c']]);
    looks[0]?.answer.resolve(['b']);
    await settled();
    clock.advance(checkIntervalMs);
    expect(looks[1]?.ids).toEqual(['a', 'c']);
    expect(told).toEqual(['b']);
  });

  test('is not looked for again while a look is under way', async () => {
    const { clock, looks, add } = open();
    add('a');
    clock.advance(10 * checkIntervalMs);
    add('b');
    clock.advance(10 * checkIntervalMs);
    expect(looks).toHaveLength(1);
    looks[0]?.answer.resolve([]);
    await settled();
    clock.advance(checkIntervalMs);
    expect(looks[1]?.ids).toEqual(['a', 'b']);
  });

  test('is not looked for where there is nothing, before or after', async () => {
    const { clock, looks, add } = open();
    clock.advance(10 * checkIntervalMs);
    const remove = add('a');
    clock.advance(checkIntervalMs);
    remove();
    looks[0]?.answer.resolve(['a']);
    await settled();
    add('b')();
    clock.advance(10 * checkIntervalMs);
    expect(looks).toHaveLength(1);
    expect(clock.pending(checkIntervalMs)).toBe(0);
  });

  test('is not told of once it is removed', async () => {
    const { clock, looks, told, add } = open();
    const remove = add('a');
    add('b');
    clock.advance(checkIntervalMs);
    remove();
    looks[0]?.answer.resolve(['a', 'b']);
    await settled();
    expect(told).toEqual(['b']);
  });

  test('is looked for again after a look that failed', async () => {
    const { clock, looks, failures, told, add } = open();
    add('a');
    clock.advance(checkIntervalMs);
    looks[0]?.answer.reject(new Error('the disk refuses'));
    await settled();
    expect(failures).toEqual([new Error('the disk refuses')]);
    clock.advance(checkIntervalMs);
    looks[1]?.answer.resolve(['a']);
    await settled();
    expect(told).toEqual(['a']);
  });
});

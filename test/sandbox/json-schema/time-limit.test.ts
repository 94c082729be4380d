import { expect, test } from 'vitest';
import { UnsatisfiableSchema } from '../../../src/sandbox/json-schema/schema.ts';
import { limitTime } from '../../../src/sandbox/json-schema/time-limit.ts';

/** Blocks the thread without processor time, as a busy machine does, until the attempt is stopped. */
function starve(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

test('work that gets no processor time is repeated until it does, with more elapsed time each time', () => {
  const startedAt: number[] = [];
  const result = limitTime(() => {
    startedAt.push(performance.now());
    if (startedAt.length < 3) starve();
    return 'found';
  });
  expect(result).toBe('found');
  const [first = 0, second = 0, third = 0] = startedAt;
  expect(second - first).toBeGreaterThanOrEqual(170);
  expect(third - second).toBeGreaterThanOrEqual(350);
});

test('work that uses its processor time without an end is refused', () => {
  const endless = (): never => {
    for (;;);
  };
  expect(() => limitTime(endless)).toThrow(UnsatisfiableSchema);
});

test('an error of the work is passed on at once', () => {
  let attempts = 0;
  const failing = (): never => {
    attempts += 1;
    throw new RangeError('odd');
  };
  expect(() => limitTime(failing)).toThrow(RangeError);
  expect(attempts).toBe(1);
});

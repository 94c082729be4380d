import { describe, expect, test } from 'vitest';
import { isTerminal } from '../../src/store/records.ts';
import { reconcileStatus, toProgress, toTaskStatus } from '../../src/tasks/status.ts';

/** Words of the widely used task APIs, as they spell them. */
const vocabulary = {
  QUEUED: [
    'starting',
    'IN_QUEUE',
    'pending',
    'created',
    'queued',
    'NOT_START',
    'SUBMITTED',
    'Queueing',
    'preparing',
    'not_started',
    'PENDING',
    'In Queue',
    'in-queue',
  ],
  RUNNING: [
    'processing',
    'IN_PROGRESS',
    'running',
    'in progress',
    'InProgress',
    'generating',
    'RUNNING',
    'in-progress',
    'active',
    'streaming',
  ],
  SUCCEEDED: ['succeeded', 'SUCCESS', 'completed', 'COMPLETE', 'finished', 'succeed', 'Succeeded', 'done'],
  FAILED: ['failed', 'FAILURE', 'error', 'expired', 'aborted', 'FAIL', 'Timeout', 'timed_out', 'rejected'],
  CANCELED: ['canceled', 'cancelled', 'CANCELLED', 'Canceled'],
} as const;

describe('a status word', () => {
  test.each(Object.entries(vocabulary))('that means %s is understood in every spelling', (status, words) => {
    for (const word of words) {
      for (const spelling of [
        word,
        word.toUpperCase(),
        word.toLowerCase(),
        ` ${word} `,
        word.replaceAll(/[_ -]/g, '.'),
      ]) {
        expect(toTaskStatus(spelling), spelling).toBe(status);
      }
    }
  });

  test.each([
    'simmering',
    '',
    ' ',
    '-',
    '100%',
    '42',
    'succeededish',
    'unsuccessful',
    'not failed',
    'null',
    'constructor',
    '__proto__',
    'текст',
    '完成',
    'x'.repeat(100_000),
  ])('that nobody knows (%#) is UNKNOWN and not terminal', (word) => {
    expect(toTaskStatus(word)).toBe('UNKNOWN');
    expect(isTerminal(toTaskStatus(word))).toBe(false);
  });

  test('that is random is never taken for an end', () => {
    let seed = 42;
    const random = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
    const known = new Set(
      Object.values(vocabulary)
        .flat()
        .map((word) => word.toLowerCase().replaceAll(/[^a-z]/g, '')),
    );
    const random5000 = Array.from({ length: 5000 }, () =>
      Array.from({ length: 3 + Math.floor(random() * 10) }, () =>
        String.fromCodePoint(97 + Math.floor(random() * 26)),
      ).join(''),
    );
    expect(random5000.filter((word) => !known.has(word) && isTerminal(toTaskStatus(word)))).toEqual([]);
  });
});

describe('two status words that disagree', () => {
  const both = (
    outer: string | undefined,
    inner: string | undefined,
    backed: { result?: boolean; error?: boolean } = {},
  ) => reconcileStatus({ outer, inner, hasResult: backed.result ?? false, hasError: backed.error ?? false });

  test.each([
    ['success outside, at work inside, nothing to show', 'SUCCESS', 'processing', {}, 'RUNNING'],
    [
      'success outside, at work inside, the result there',
      'SUCCESS',
      'processing',
      { result: true },
      'SUCCEEDED',
    ],
    [
      'at work outside, complete inside, the result there',
      'IN_PROGRESS',
      'complete',
      { result: true },
      'SUCCEEDED',
    ],
    ['at work outside, complete inside, nothing to show', 'IN_PROGRESS', 'complete', {}, 'RUNNING'],
    ['success outside, failed inside with its reason', 'SUCCESS', 'error', { error: true }, 'FAILED'],
    [
      'failed outside with a reason, complete inside with a result',
      'FAILURE',
      'complete',
      { error: true, result: true },
      'SUCCEEDED',
    ],
    ['failed outside with a reason, at work inside', 'FAILURE', 'streaming', { error: true }, 'FAILED'],
    ['queued outside, at work inside', 'IN_QUEUE', 'processing', {}, 'RUNNING'],
    ['at work outside, queued inside', 'processing', 'queued', {}, 'RUNNING'],
    ['an unknown word outside, at work inside', 'simmering', 'processing', {}, 'RUNNING'],
    ['cancelled outside, at work inside', 'cancelled', 'processing', {}, 'CANCELED'],
    ['success outside, queued inside, nothing to show', 'SUCCESS', 'queued', {}, 'RUNNING'],
  ] as const)('%s', (_name, outer, inner, backed, status) => {
    expect(both(outer, inner, backed).status).toBe(status);
  });

  test('of success end nothing while there is no result to show: it would never be read', () => {
    expect(both('SUCCESS', undefined)).toEqual({ status: 'RUNNING', rawStatus: 'SUCCESS' });
    expect(both('completed', 'done')).toMatchObject({ status: 'RUNNING' });
  });

  test('are one where only one is said, and unknown where none is', () => {
    expect(both('SUCCESS', undefined, { result: true })).toEqual({
      status: 'SUCCEEDED',
      rawStatus: 'SUCCESS',
    });
    expect(both(undefined, 'queued')).toEqual({ status: 'QUEUED', rawStatus: 'queued' });
    expect(both(undefined, undefined)).toEqual({ status: 'UNKNOWN', rawStatus: undefined });
    expect(both('', '')).toEqual({ status: 'UNKNOWN', rawStatus: undefined });
  });
});

describe('progress', () => {
  test.each([
    ['80%', 0.8],
    [80, 0.8],
    [0.8, 0.8],
    ['80', 0.8],
    ['0.8', 0.8],
    [' 80 % ', 0.8],
    ['0%', 0],
    [0, 0],
    ['100%', 1],
    [100, 1],
    [1, 1],
    [100, 1],
    ['0.5%', 0.005],
  ])('%j reads as %d', (value, expected) => {
    expect(toProgress(value)).toBeCloseTo(expected, 10);
  });

  test.each([
    [undefined],
    [null],
    [''],
    ['%'],
    ['soon'],
    [-1],
    [100.5],
    ['250%'],
    [1e308],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [{}],
    [[]],
    [true],
  ])('%j says nothing', (value) => {
    expect(toProgress(value)).toBeUndefined();
  });
});

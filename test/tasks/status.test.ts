import { describe, expect, test } from 'vitest';
import { isTerminal } from '../../src/store/records.ts';
import { reconcileStatus, toProgress, toTaskStatus } from '../../src/tasks/status.ts';

/** Status words of widely used task APIs, in their spelling. */
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
    'canceling',
    'Cancelling',
  ],
  SUCCEEDED: ['succeeded', 'SUCCESS', 'completed', 'COMPLETE', 'finished', 'succeed', 'Succeeded', 'done'],
  FAILED: ['failed', 'FAILURE', 'error', 'expired', 'aborted', 'FAIL', 'Timeout', 'timed_out', 'rejected'],
  CANCELED: ['canceled', 'cancelled', 'CANCELLED', 'Canceled'],
} as const;

describe('a status word', () => {
  test.each(Object.entries(vocabulary))('for %s is recognized in every spelling', (status, words) => {
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
  ])('that is not in the table (%#) is UNKNOWN and not terminal', (word) => {
    expect(toTaskStatus(word)).toBe('UNKNOWN');
    expect(isTerminal(toTaskStatus(word))).toBe(false);
  });

  test('of random letters is never terminal', () => {
    let seed = 42;
    const random = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
    const known = new Set(
      Object.values(vocabulary)
        .flat()
        .map((word) => word.toLowerCase().replaceAll(/[^a-z]/g, '')),
    );
    const randomWords = Array.from({ length: 5000 }, () =>
      Array.from({ length: 3 + Math.floor(random() * 10) }, () =>
        String.fromCodePoint(97 + Math.floor(random() * 26)),
      ).join(''),
    );
    expect(randomWords.filter((word) => !known.has(word) && isTerminal(toTaskStatus(word)))).toEqual([]);
  });
});

describe('two status words', () => {
  const both = (
    outer: string | undefined,
    inner: string | undefined,
    evidence: { result?: boolean; error?: boolean } = {},
  ) =>
    reconcileStatus({ outer, inner, hasResult: evidence.result ?? false, hasError: evidence.error ?? false });

  test.each([
    ['outer success, inner running, no result', 'SUCCESS', 'processing', {}, 'RUNNING'],
    ['outer success, inner running, with a result', 'SUCCESS', 'processing', { result: true }, 'SUCCEEDED'],
    ['outer running, inner success, with a result', 'IN_PROGRESS', 'complete', { result: true }, 'SUCCEEDED'],
    ['outer running, inner success, no result', 'IN_PROGRESS', 'complete', {}, 'RUNNING'],
    ['outer success, inner failure with an error', 'SUCCESS', 'error', { error: true }, 'FAILED'],
    [
      'outer failure with an error, inner success with a result',
      'FAILURE',
      'complete',
      { error: true, result: true },
      'SUCCEEDED',
    ],
    ['outer failure with an error, inner running', 'FAILURE', 'streaming', { error: true }, 'FAILED'],
    ['outer queued, inner running', 'IN_QUEUE', 'processing', {}, 'RUNNING'],
    ['outer running, inner queued', 'processing', 'queued', {}, 'RUNNING'],
    ['outer unknown, inner running', 'simmering', 'processing', {}, 'RUNNING'],
    ['outer canceled, inner running', 'cancelled', 'processing', {}, 'CANCELED'],
    ['outer success, inner queued, no result', 'SUCCESS', 'queued', {}, 'RUNNING'],
  ] as const)(
    '(%s) reconcile to the word with the strongest evidence',
    (_name, outer, inner, evidence, status) => {
      expect(both(outer, inner, evidence).status).toBe(status);
    },
  );

  test('of success mean RUNNING without a result, because an ended task is not read again', () => {
    expect(both('SUCCESS', undefined)).toEqual({
      status: 'RUNNING',
      rawStatus: 'SUCCESS',
      isUnprovenSuccess: true,
    });
    expect(both('completed', 'done')).toMatchObject({ status: 'RUNNING' });
  });

  test('may be absent: one word counts alone, and none is UNKNOWN', () => {
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
  ])('of %j is %d', (value, expected) => {
    expect(toProgress(value, 'SUCCEEDED')).toBeCloseTo(expected, 10);
  });

  test('with very many blanks blocks nothing', () => {
    const blanks = ' '.repeat(1_000_000);
    expect(toProgress(`${blanks}80${blanks}%${blanks}`, 'RUNNING')).toBe(0.8);
    expect(toProgress(`80${blanks}of 100`, 'RUNNING')).toBeUndefined();
  });

  test.each([[1], ['1']])('of %j is unknown before the success: it can be 1 %% or all', (value) => {
    expect(toProgress(value, 'RUNNING')).toBeUndefined();
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
  ])('of %j is undefined', (value) => {
    expect(toProgress(value, 'SUCCEEDED')).toBeUndefined();
  });
});

import { describe, expect, test } from 'vitest';
import { decodeResult } from '../../src/capabilities/image-queue/wire.ts';
import { decodeTask } from '../../src/capabilities/music/wire.ts';
import { decodePrediction } from '../../src/capabilities/predictions/wire.ts';
import { decodeSpeech } from '../../src/capabilities/speech/wire.ts';
import { decodeVideo } from '../../src/capabilities/video/wire.ts';
import { failureAdvice } from '../../src/generations/failure.ts';
import type { Json } from '../../src/lib/json.ts';

describe.each([
  ['a queued image', decodeResult],
  ['a prediction', decodePrediction],
  ['speech', decodeSpeech],
  ['a video', decodeVideo],
] as const)('the failure of %s', (_name, decode) => {
  test.each<[string, Json, string]>([
    ['text', 'no', 'no'],
    ['an object with a message', { message: 'no' }, 'no'],
    ['an object with a detail', { detail: 'no' }, 'no'],
    ['a list', ['no', { loc: ['input', 'x'], msg: 'too small' }], 'no; input.x: too small'],
    ['a long text', 'a'.repeat(2000), `${'a'.repeat(999)}…`],
  ])('is read from %s', (_form, error, message) => {
    const expected = { status: 'FAILED', error: { code: 'GATEWAY_ERROR', message } };
    expect(decode({ id: 't', status: 'failed', error })).toMatchObject(expected);
    expect(decode({ id: 't', error })).toMatchObject(expected);
    // Some queues call all work completed that has ended.
    expect(decode({ id: 't', status: 'COMPLETED', error })).toMatchObject(expected);
  });

  test.each(['error_message', 'error_msg', 'fail_reason', 'failure_reason'])('is read from %s', (name) => {
    expect(decode({ id: 't', status: 'failed', error: null, [name]: 'no' })).toMatchObject({
      status: 'FAILED',
      error: { message: 'no' },
    });
  });

  test.each<[string, Json]>([
    ['an empty text', ''],
    ['null', null],
    ['an empty object', {}],
    ['an empty list', []],
    ['a number', 5],
  ])('is not read from %s', (_form, error) => {
    expect(decode({ id: 't', status: 'processing', error })).toMatchObject({
      status: 'RUNNING',
      error: undefined,
    });
    expect(decode({ id: 't', error }).status).not.toBe('FAILED');
    expect(decode({ id: 't', status: 'failed', error }).error?.message).toBe(
      'The gateway reports a failure without a reason.',
    );
  });
});

test.each([
  ['RATE_LIMITED', undefined, 'LATER'],
  ['RATE_LIMITED', 'NEVER', 'NEVER'],
  // As a newer version may record it.
  ['A_CODE_OF_THE_FUTURE', undefined, 'MAY_CHARGE_AGAIN'],
  ['toString', undefined, 'MAY_CHARGE_AGAIN'],
] as const)('the advice for the code %s, recorded with %s, is %s', (code, retry, advice) => {
  expect(failureAdvice({ code, message: 'no', retry })).toBe(advice);
});

test('the reason of a failed song is shortened like any other', () => {
  const task = { task_id: 't', status: 'FAILURE', fail_reason: 'a'.repeat(2000), data: [] };
  expect(decodeTask(task).error?.message).toBe(`${'a'.repeat(999)}…`);
});

test.each([
  [{ error: 'no' }, 'no'],
  [{ error: { message: 'no' } }, 'no'],
  [{ error_message: 'no', fail_reason: '' }, 'no'],
  [{ data: [{ status: 'error', error: { detail: 'no' } }] }, 'no'],
  [{ fail_reason: 'https://x.example/a.mp3' }, 'The gateway reports a failure without a reason.'],
])('the reason of a failed song is read from %j', (members, message) => {
  const task = { task_id: 't', status: 'FAILURE', data: [], ...members };
  expect(decodeTask(task).error).toMatchObject({ message });
});

test('the address of a song in the place of a reason is no failure', () => {
  const task = { task_id: 't', status: 'SUCCESS', fail_reason: 'https://x.example/a.mp3', data: [] };
  expect(decodeTask(task)).toMatchObject({ status: 'RUNNING', isUnprovenSuccess: true });
});

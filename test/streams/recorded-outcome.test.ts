import { expect, test } from 'vitest';
import { toRecordedOutcome } from '../../src/streams/recorded-outcome.ts';
import { buildGeneration } from '../store/support.ts';

const kind = { noun: 'chat' };
const generation = buildGeneration({ status: 'RUNNING' });

test.each([
  ['SUCCEEDED', 'completed'],
  ['CANCELED', 'canceled'],
] as const)('a record that is %s is the end %s', (status, type) => {
  const record = { ...generation, status };
  expect(toRecordedOutcome(kind, generation, record)).toEqual({ type, generation: record });
});

test('a record that has FAILED keeps its error', () => {
  const error = { code: 'GATEWAY_ERROR', message: 'no room' } as const;
  const record = { ...generation, status: 'FAILED', error } as const;
  const outcome = toRecordedOutcome(kind, generation, record);
  expect(outcome).toMatchObject({ type: 'failed', error: { code: 'GATEWAY_ERROR', message: 'no room' } });
  expect(outcome.generation).toBe(record);
});

test('without a record the stream has failed: its own record was deleted', () => {
  const failure = {
    code: 'INTERRUPTED',
    message: 'This chat was stopped, or its record was deleted.',
  };
  expect(toRecordedOutcome(kind, { ...generation, finishedAt: 5000 }, undefined)).toMatchObject({
    type: 'failed',
    generation: { id: generation.id, status: 'FAILED', error: failure, finishedAt: 5000 },
    error: failure,
  });
});

test('without the record of a create that was not accepted, only its key can tell whether it was charged', () => {
  expect(toRecordedOutcome(kind, { ...generation, isVisible: false }, undefined)).toMatchObject({
    type: 'failed',
    generation: { id: generation.id, status: 'FAILED' },
    error: { code: 'INTERRUPTED', retry: 'SAME_KEY' },
  });
});

import { describe, expect, test } from 'vitest';
import { isTerminal, readTimeline, type Timeline } from '../../../src/sandbox/tasks/timeline.ts';

const task: Timeline = { createdAtMs: 1000, durationMs: 4000, canceledAtMs: undefined, ending: 'success' };

describe('a timeline', () => {
  test.each([
    [0, 'queued', 0],
    [1000, 'queued', 0],
    [1799, 'queued', 0],
    [1800, 'running', 0],
    [3400, 'running', 0.5],
    [4999, 'running', 0.999_687_5],
    [5000, 'succeeded', 1],
    [99_999, 'succeeded', 1],
  ])('at %i ms is %s', (now, phase, done) => {
    const progress = readTimeline(task, now);
    expect(progress.phase).toBe(phase);
    expect(progress.done).toBeCloseTo(done, 3);
  });

  test('has the start and the end of the work', () => {
    expect(readTimeline(task, 1500)).toMatchObject({ startedAtMs: undefined, finishedAtMs: undefined });
    expect(readTimeline(task, 2500)).toMatchObject({ startedAtMs: 1800, finishedAtMs: undefined });
    expect(readTimeline(task, 9000)).toMatchObject({ startedAtMs: 1800, finishedAtMs: 5000 });
  });

  test('fails before its whole time is over', () => {
    const failing: Timeline = { ...task, ending: 'failure' };
    expect(readTimeline(failing, 3399).phase).toBe('running');
    expect(readTimeline(failing, 3400)).toMatchObject({ phase: 'failed', finishedAtMs: 3400 });
    expect(readTimeline(failing, 9000).done).toBeCloseTo(0.5);
  });

  test('that hangs does not progress', () => {
    const stuck: Timeline = { ...task, ending: 'never' };
    expect(readTimeline(stuck, 9_999_999)).toMatchObject({ phase: 'running', finishedAtMs: undefined });
  });

  test('stops at a cancellation before its end', () => {
    const canceled = { ...task, canceledAtMs: 2000 };
    expect(readTimeline(canceled, 9000)).toMatchObject({
      phase: 'canceled',
      finishedAtMs: 2000,
      elapsed: 0.25,
    });
    expect(readTimeline({ ...task, canceledAtMs: 5000 }, 9000).phase).toBe('succeeded');
    expect(readTimeline({ ...task, canceledAtMs: 1100 }, 9000).startedAtMs).toBeUndefined();
  });

  test('without a duration ends at once', () => {
    const instant = { ...task, durationMs: 0 };
    expect(readTimeline(instant, 1000)).toMatchObject({ phase: 'succeeded', done: 1 });
    expect(readTimeline({ ...instant, ending: 'failure' }, 1000).phase).toBe('failed');
    expect(readTimeline({ ...instant, ending: 'never' }, 1000).phase).toBe('running');
  });
});

test('only ended phases are terminal', () => {
  expect((['queued', 'running', 'succeeded', 'failed', 'canceled'] as const).filter(isTerminal)).toEqual([
    'succeeded',
    'failed',
    'canceled',
  ]);
});

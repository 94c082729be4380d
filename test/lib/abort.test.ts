import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { abortable, createChildController, isAbortError } from '../../src/lib/abort.ts';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('a child controller', () => {
  test("aborts with its parent, for its parent's reason", () => {
    const parents = [new AbortController(), new AbortController()] as const;
    const child = createChildController(parents[0].signal, undefined, parents[1].signal);
    parents[1].abort('why');
    expect(child.signal).toMatchObject({ aborted: true, reason: 'why' });
    expect(parents.map(({ signal }) => listeners(signal))).toEqual([0, 0]);
  });

  test('aborts alone, and leaves nothing at its parents', () => {
    const parent = new AbortController();
    const child = createChildController(parent.signal);
    child.abort('why');
    expect(child.signal.reason).toBe('why');
    expect(parent.signal.aborted).toBe(false);
    expect(listeners(parent.signal)).toBe(0);
  });

  test('leaves nothing at its parents when it is disposed of', () => {
    const parent = new AbortController();
    {
      using _child = createChildController(parent.signal);
      expect(listeners(parent.signal)).toBe(1);
    }
    expect(listeners(parent.signal)).toBe(0);
  });

  test('of a parent that has aborted is aborted, and listens to no other', () => {
    const living = [new AbortController(), new AbortController()] as const;
    const child = createChildController(living[0].signal, AbortSignal.abort('why'), living[1].signal);
    expect(child.signal).toMatchObject({ aborted: true, reason: 'why' });
    expect(living.map(({ signal }) => listeners(signal))).toEqual([0, 0]);
  });
});

describe('abortable', () => {
  test('resolves or rejects as its promise does, and leaves no listener', async () => {
    const { signal } = new AbortController();
    expect(await abortable(Promise.resolve(1), signal)).toBe(1);
    await expect(abortable(Promise.reject(new Error('x')), signal)).rejects.toThrow('x');
    expect(listeners(signal)).toBe(0);
    expect(await abortable(Promise.resolve(1), undefined)).toBe(1);
  });

  test('stops waiting when the signal aborts', async () => {
    const controller = new AbortController();
    const waiting = abortable(new Promise(() => {}), controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(listeners(controller.signal)).toBe(0);
  });

  test('does not wait where the signal has aborted, nor leaves the promise without a handler', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    await expect(abortable(promise, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    // An unhandled rejection would fail this run.
    reject(new Error('later'));
    await expect(promise).rejects.toThrow('later');
  });
});

test('an abort is told from other errors by its name', () => {
  expect(isAbortError(AbortSignal.abort().reason)).toBe(true);
  expect([new Error('x'), undefined, 'AbortError'].some(isAbortError)).toBe(false);
});

import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { abortable, createChildController, isAbortError } from '../../src/lib/abort.ts';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('a child controller', () => {
  test('aborts with a parent, with the reason of that parent', () => {
    const parents = [new AbortController(), new AbortController()] as const;
    const child = createChildController(parents[0].signal, undefined, parents[1].signal);
    parents[1].abort('why');
    expect(child.signal).toMatchObject({ aborted: true, reason: 'why' });
    expect(parents.map(({ signal }) => listeners(signal))).toEqual([0, 0]);
  });

  test('aborts without its parent and removes its listener', () => {
    const parent = new AbortController();
    const child = createChildController(parent.signal);
    child.abort('why');
    expect(child.signal.reason).toBe('why');
    expect(parent.signal.aborted).toBe(false);
    expect(listeners(parent.signal)).toBe(0);
  });

  test('removes its listener when it is disposed', () => {
    const parent = new AbortController();
    {
      using _child = createChildController(parent.signal);
      expect(listeners(parent.signal)).toBe(1);
    }
    expect(listeners(parent.signal)).toBe(0);
  });

  test('is aborted from the start if a parent is, and adds no listener', () => {
    const living = [new AbortController(), new AbortController()] as const;
    const child = createChildController(living[0].signal, AbortSignal.abort('why'), living[1].signal);
    expect(child.signal).toMatchObject({ aborted: true, reason: 'why' });
    expect(living.map(({ signal }) => listeners(signal))).toEqual([0, 0]);
  });
});

describe('abortable', () => {
  test('settles with its promise and leaves no listener', async () => {
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

  test('rejects immediately for an aborted signal and handles a later rejection of the promise', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    await expect(abortable(promise, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    // An unhandled rejection would fail this run.
    reject(new Error('later'));
    await expect(promise).rejects.toThrow('later');
  });
});

test('isAbortError recognizes an abort by its name', () => {
  expect(isAbortError(AbortSignal.abort().reason)).toBe(true);
  expect([new Error('x'), undefined, 'AbortError'].some(isAbortError)).toBe(false);
});

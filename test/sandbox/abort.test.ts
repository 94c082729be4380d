import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { abortable } from '../../src/sandbox/http/abort.ts';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

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

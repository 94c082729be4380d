import { onTestFinished, vi } from 'vitest';

/**
 * Deadlines that pass when the test says so: an answer on a busy machine may take longer than any time that a test can wait.
 * Clients share the replaced timers, and a test knows a client's by its `deadlineMs`.
 */
export function stubDeadlines(deadlineMs: number) {
  const armed = new Map<
    number,
    { readonly timer: ReturnType<typeof setTimeout>; readonly run: () => void }
  >();
  const [setTimer, clearTimer] = [globalThis.setTimeout, globalThis.clearTimeout];
  vi.stubGlobal('setTimeout', (run: () => void, ms: number) => {
    const timer = setTimer(run, ms);
    if (ms >= deadlineMs) armed.set(ms, { timer, run });
    return timer;
  });
  vi.stubGlobal('clearTimeout', (timer: ReturnType<typeof setTimeout>) => {
    for (const [ms, deadline] of armed) if (deadline.timer === timer) armed.delete(ms);
    clearTimer(timer);
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return {
    /** Waits until the client waits for an answer, and lets its deadline pass. */
    async pass(ms = deadlineMs) {
      const { timer, run } = await vi.waitUntil(() => armed.get(ms), { timeout: 60_000, interval: 5 });
      armed.delete(ms);
      clearTimer(timer);
      run();
    },
  };
}

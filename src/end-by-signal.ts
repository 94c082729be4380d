import { constants } from 'node:os';

/** Ends the process by the signal itself, because `process.exit` can hang (see `exitWhenIdle`). */
export function endBySignal(signal: NodeJS.Signals): void {
  // Without handlers, the signal ends the process.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // The kernel drops it if this is the first process of a container.
  process.exit(128 + constants.signals[signal]);
}

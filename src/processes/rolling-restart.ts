import type { Log } from '../lib/log.ts';
import type { Child } from './child.ts';

export interface RollingRestartOptions {
  readonly count: number;
  /** Time that a process may take to drain before it is killed. */
  readonly endMs: number;
  readonly log: Log;
  readonly stopping: AbortSignal;
  /** The process of a slot, unless it drains. */
  readonly current: (slot: number) => Child | undefined;
  /** Starts another process for a slot. @throws if it cannot start */
  readonly launch: (slot: number) => Promise<unknown>;
  /** Tries until the slot has a process. */
  readonly replace: (slot: number) => void;
}

/**
 * Replaces one process after the other: the next one starts first, then the old one drains. One restart runs at a time. A request
 * during a restart starts one more after it, because the processes replaced so far may run an older program.
 */
export function createRollingRestart(options: RollingRestartOptions): () => Promise<void> {
  const { count, log, stopping } = options;
  let running: Promise<void> | undefined;
  let isRequested = false;
  const restart = async (): Promise<void> => {
    isRequested = false;
    log.info({ processes: count }, 'rolling restart');
    for (let slot = 0; slot < count; slot += 1) if (!(await replaceOne(slot, options))) return;
    log.info({ processes: count }, 'rolling restart ended');
  };
  const restartUntilNoneIsRequested = async (): Promise<void> => {
    do await restart();
    while (isRequested && !stopping.aborted);
  };
  return () => {
    if (running && !stopping.aborted) {
      isRequested = true;
      log.info({ processes: count }, 'another rolling restart follows');
    }
    return (running ??= restartUntilNoneIsRequested().finally(() => {
      running = undefined;
    }));
  };
}

/** Returns whether the restart may go on. */
async function replaceOne(slot: number, options: RollingRestartOptions): Promise<boolean> {
  const { endMs, log, stopping, current, launch, replace } = options;
  // A start of all processes fails with the first that ends before it is ready.
  await current(slot)?.ready.catch(() => {});
  // The drain would not know the new process.
  if (stopping.aborted) return false;
  const old = current(slot);
  try {
    await launch(slot);
  } catch (err) {
    if (stopping.aborted) return false;
    log.error({ err }, 'rolling restart stopped: the new process could not start');
    // The old one may have ended meanwhile.
    if (!current(slot)) replace(slot);
    return false;
  }
  await old?.end(endMs);
  return !stopping.aborted;
}

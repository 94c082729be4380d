import { statSync } from 'node:fs';
import { extname } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import { createThread } from '../../lib/thread.ts';
import type { SqliteWrites } from './sqlite-writes.ts';

/** Moves the write-ahead log into the database file, in a thread of its own, because checkpoints wait for the disk. */
export interface Checkpoints {
  /** Call after each commit, and after one that failed: a log that is moved makes room on a full disk. Cheap. */
  onWritten(): void;
  /** Moves the whole log, and starts it again. @throws Error if readers still use it */
  restart(): Promise<void>;
  /** Ends the thread. */
  close(): Promise<void>;
}

export interface CheckpointsOptions {
  /** Of the database. */
  readonly path: string;
  readonly clock: Clock;
  /** Runs while no write does. */
  readonly pause: SqliteWrites['pause'];
  /** Of the disk. */
  readonly freeBytes: () => Promise<number>;
}

/** `partial`: what readers and the writer do not use, if the log has this many pages. Does not block writes. */
export type Checkpoint =
  | { readonly type: 'partial'; readonly minPages: number }
  | { readonly type: 'restart' };

export interface CheckpointResult {
  readonly isDone: boolean;
}

/** Size of the log that is moved. A larger log contains more versions of the same page, of which only the last is moved. */
const duePages = 4000;
/** If the disk has less room than that, a log as large as its room is moved, because the database may grow as much. */
const leastPages = 250;
const pageBytes = 4096;
const checkIntervalMs = 1000;

export function createCheckpoints({ path, clock, pause, freeBytes }: CheckpointsOptions): Checkpoints {
  const thread = createThread<Checkpoint, CheckpointResult>({
    program: new URL(`./checkpoint-thread${extname(import.meta.url)}`, import.meta.url),
    data: path,
  });
  let cancelCheck: (() => void) | undefined;
  let isClosed = false;

  const restart = async (): Promise<boolean> => (await pause(() => thread.call({ type: 'restart' }))).isDone;
  const check = async (): Promise<void> => {
    const freePages = Math.floor((await freeBytes()) / pageBytes);
    const minPages = Math.max(leastPages, Math.min(duePages, freePages));
    // The file does not shrink, so the log may be shorter.
    const mayBeDue = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) >= minPages * pageBytes;
    if (mayBeDue && (await thread.call({ type: 'partial', minPages })).isDone) await restart();
  };
  let isFaulty = false;
  /** The log grows until a later check succeeds. */
  const onFault = (cause: unknown): void => {
    if (!isFaulty && !isClosed)
      process.emitWarning(`The log of the records cannot be moved into the database: ${String(cause)}`);
    isFaulty = true;
  };
  const scheduleCheck = (): void => {
    cancelCheck ??= clock.after(checkIntervalMs, () => {
      check()
        .then(() => (isFaulty = false), onFault)
        .finally(() => (cancelCheck = undefined));
    });
  };
  return {
    onWritten() {
      if (!isClosed) scheduleCheck();
    },
    async restart() {
      if (!(await restart())) throw new Error('the log could not be moved into the database');
    },
    async close() {
      isClosed = true;
      cancelCheck?.();
      await thread.close();
    },
  };
}

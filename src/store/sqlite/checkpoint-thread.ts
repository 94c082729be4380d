import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { serveThread } from '../../lib/thread.ts';
import type { Checkpoint, CheckpointResult } from './checkpoints.ts';

/** Longest wait for readers that use the log. */
const readerWaitMs = 20;

serveThread(parentPort, createCheckpoint(String(workerData)));

function createCheckpoint(path: string): (checkpoint: Checkpoint) => CheckpointResult {
  const database = new DatabaseSync(path, { timeout: readerWaitMs });
  const run = (
    mode: 'noop' | 'passive' | 'restart',
  ): { readonly isBusy: boolean; readonly pages: number } => {
    const row = database.prepare(`pragma wal_checkpoint(${mode})`).get();
    return { isBusy: row?.['busy'] === 1, pages: Number(row?.['log']) };
  };
  return (checkpoint) => {
    if (checkpoint.type === 'partial') {
      // Versions of SQLite that do not know `noop` run a passive checkpoint here.
      const isDue = run('noop').pages >= checkpoint.minPages;
      if (isDue) run('passive');
      return { isDone: isDue };
    }
    if (run('restart').isBusy) return { isDone: false };
    // The first commit to a log that starts again syncs its header. This one does it in this thread.
    const version = database.prepare('pragma user_version').get()?.['user_version'];
    database.exec(`pragma user_version = ${version === -1 ? -2 : -1}`);
    return { isDone: true };
  };
}

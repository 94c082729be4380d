import { type FileHandle, open } from 'node:fs/promises';
import { RecordsUnavailableError } from '../../errors.ts';

/**
 * Call while the database is open in WAL mode, so that the log exists.
 * @param restart moves the log into the database, synced
 */
export async function createLogSync(path: string, restart: () => Promise<void>): Promise<LogSync> {
  return new LogSync(await open(`${path}-wal`, 'r+'), restart);
}

/** Syncs the write-ahead log to disk without blocking the event loop. */
class LogSync {
  readonly #log: FileHandle;
  readonly #restart: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** After a failed sync, the system may forget what it could not write, and a later sync would succeed without it. */
  #isDamaged = false;

  constructor(log: FileHandle, restart: () => Promise<void>) {
    this.#log = log;
    this.#restart = restart;
  }

  /** Resolves when all commits before the call are on disk. Calls that wait share one sync. @throws RecordsUnavailableError */
  sync(): Promise<void> {
    return (this.#next ??= this.#syncNext());
  }

  /** Resolves when no sync runs. Never rejects. */
  async waitUntilIdle(): Promise<void> {
    await this.#running?.catch(() => {});
  }

  async close(): Promise<void> {
    await this.waitUntilIdle();
    await this.#log.close();
  }

  async #syncNext(): Promise<void> {
    await this.waitUntilIdle();
    this.#running = this.#next;
    this.#next = undefined;
    try {
      await (this.#isDamaged ? this.#restart() : this.#log.datasync());
      this.#isDamaged = false;
    } catch (cause) {
      this.#isDamaged = true;
      throw new RecordsUnavailableError('The record store is unavailable: disk I/O error', {
        cause,
        isDiskFault: true,
      });
    }
  }
}

import type { Clock } from '../../lib/clock.ts';
import { noLimits } from '../../lib/fairness/fair-queue.ts';
import { createSlicedReads } from '../../lib/fairness/fair-work.ts';
import { randomId } from '../../lib/ids.ts';
import { migrate } from '../sql/migrations/migrations.ts';
import { createSqlStore } from '../sql/sql-store.ts';
import type { RecordLimits, Store } from '../store.ts';
import { createChangeTriggers } from './change-triggers.ts';
import { createEndTrigger } from './end-trigger.ts';
import { withFairReads } from './with-fair-reads.ts';
import { trackDataFiles } from './data-files.ts';
import { prepareDataFile, readFreeBytes } from './data-directory.ts';
import { inMemory, openConnections } from './connections.ts';
import { createLockWait } from './lock-wait.ts';

export interface SqliteStoreOptions {
  /** Data directory, created if missing, or `:memory:`. */
  readonly directory: string;
  readonly clock: Clock;
  /** An image of tables without records, for a database in memory. @default the migrations create them */
  readonly emptyTables?: Uint8Array | undefined;
  /** How long an operation waits for the lock of another process. @default 10000 */
  readonly lockWaitMs?: number | undefined;
  /** The owners that share their turns of reading. @default each owner has turns of its own */
  readonly groupOf?: ((owner: string) => string) | undefined;
  /** @default no limits */
  readonly recordLimits?: RecordLimits | undefined;
}

/**
 * SQLite store in one file, for one instance at a time: what another instance has not finished is orphaned. Completed writes
 * survive a crash of the process. Claims of creates, results, saves and ends survive a power failure too.
 * @throws if the directory or file cannot be used
 */
export async function createSqliteStore({
  directory,
  clock,
  emptyTables,
  lockWaitMs,
  groupOf = (owner) => owner,
  recordLimits,
}: SqliteStoreOptions): Promise<Store> {
  const isPersistent = directory !== inMemory;
  const path = isPersistent ? prepareDataFile(directory) : inMemory;
  const lockWait = createLockWait(lockWaitMs);
  const connections = await openConnections({ path, clock, lockWait, emptyTables });
  const runRead = createSlicedReads({
    pathOf: (owner) => [groupOf(owner), owner].map((key) => ({ key, limits: noLimits })),
  });
  try {
    await migrate(connections.writer);
    await createChangeTriggers(connections.writer);
    await createEndTrigger(connections.writer);
    const files = isPersistent ? trackDataFiles(path) : undefined;
    const store = createSqlStore({
      ...connections,
      clock,
      runRead,
      instanceId: randomId('instance'),
      recordLimits,
      stopWaiting: lockWait.stop,
      minuteClock: 'instance',
      checkFiles: files?.check,
      async probeWrite() {
        files?.check();
        await connections.probeWrite();
      },
      readFreeBytes: isPersistent ? () => readFreeBytes(directory) : undefined,
    });
    return withFairReads(store, runRead);
  } catch (error) {
    await connections.close();
    throw error;
  }
}

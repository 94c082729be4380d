import { sql } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import { randomId } from '../../lib/ids.ts';
import { createPauses, type Pauses } from '../../lib/pauses.ts';
import { createLeaseWatch } from '../sql/lease-watch.ts';
import { migrate } from '../sql/migrations.ts';
import { createSqlStore } from '../sql/sql-store.ts';
import type { LeaseIntervals, RecordLimits, Store } from '../store.ts';
import { createChangeTriggers } from './change-triggers.ts';
import { createFairReads } from './fair-reads.ts';
import { withFairReads } from './with-fair-reads.ts';
import { trackDataFiles } from './data-files.ts';
import { prepareDataFile } from './data-directory.ts';
import { acquireInstanceLock, findLockState, type InstanceLock, removeLock } from './instance-lock.ts';
import { inMemory, openConnections } from './connections.ts';
import { createLockWait } from './lock-wait.ts';

export interface SqliteStoreOptions {
  /** Data directory, created if missing, or `:memory:`. */
  readonly directory: string;
  readonly clock: Clock;
  /** Pauses between the pieces of large contents. @default shared with no other work */
  readonly pauses?: Pauses;
  /** An instance whose lock file is missing and that does not renew its lease for this long is considered dead. @default 30000 */
  readonly leaseMs?: number;
  /** How long an operation waits for the lock of another process. @default 10000 */
  readonly lockWaitMs?: number | undefined;
  /** The owners that share their turns of reading. @default each owner has turns of its own */
  readonly groupOf?: ((owner: string) => string) | undefined;
  /** @default no limits */
  readonly recordLimits?: RecordLimits | undefined;
}

/**
 * SQLite store in one file. Completed writes survive a crash of the process. A power failure may lose the most recent
 * writes, except `markSending`.
 * @throws if the directory or file cannot be used
 */
export async function createSqliteStore({
  directory,
  clock,
  pauses = createPauses(),
  leaseMs = 30_000,
  lockWaitMs,
  groupOf,
  recordLimits,
}: SqliteStoreOptions): Promise<Store> {
  const instanceId = randomId('instance');
  const isPersistent = directory !== inMemory;
  const path = isPersistent ? prepareDataFile(directory) : inMemory;
  const lockWait = createLockWait(lockWaitMs);
  const connections = await openConnections(path, lockWait);
  const fairReads = createFairReads({ groupOf });
  let lock: InstanceLock | undefined;
  try {
    await migrate(connections.writer);
    await createChangeTriggers(connections.writer);
    const files = isPersistent ? trackDataFiles(path) : undefined;
    lock = isPersistent ? acquireInstanceLock(directory, instanceId) : undefined;
    const store = createSqlStore({
      ...connections,
      clock,
      pauses,
      runRead: fairReads.run,
      instanceId,
      leaseMs,
      recordLimits,
      leases: createLeaseWatch({ clock, leaseMs }),
      leaseIntervals,
      stopWaiting: lockWait.stop,
      leaseClock: (now = clock.now()) => sql`${now}`,
      minuteClock: 'instance',
      isLeaseRequired: false,
      lockStateOf: (id) => findLockState(directory, id),
      removeLock: (id) => removeLock(directory, id),
      checkShared() {
        files?.check();
        lock?.ensure();
      },
    });
    await store.renewLease();
    return {
      ...withFairReads(store, fairReads),
      async close() {
        await store.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    await connections.close();
    throw error;
  }
}

/** Locks prove who is alive, so the lease may be long. */
const leaseIntervals: LeaseIntervals = { renewMs: 9000, retryMs: 9000, recoverMs: 3000 };

import type { Kysely, RawBuilder } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import type { Pauses } from '../../lib/pauses.ts';
import type { LeaseIntervals, RecordLimits, Store } from '../store.ts';
import { createAccessTokenRecords } from './access-tokens.ts';
import { createChangeRecords } from './changes.ts';
import { createClonedVoiceRecords } from './cloned-voices.ts';
import { createCreationRecords } from './creations.ts';
import { createExpiry } from './expiry.ts';
import { createGenerationRecords } from './generations.ts';
import { createInstanceRecords } from './instances.ts';
import { createRoom } from './make-room.ts';
import type { LeaseWatch } from './lease-watch.ts';
import { type MinuteClock, readLimitUses } from './limit-uses.ts';
import { createOrphanRecords } from './orphans.ts';
import { createPollRecords } from './polls.ts';
import { createReadiness } from './readiness.ts';
import { createSecrets } from './secrets.ts';
import type { Tables } from './tables.ts';
import { createTaskCache, type ReadVersion } from './task-cache.ts';
import { createTaskRecords } from './tasks.ts';
import { createUsageTotals } from './usage-totals.ts';
import type { QuickWrites } from './quick-writes.ts';
import type { Writes } from './writes.ts';

export type LockState = 'held' | 'free' | 'unknown';

export interface SqlStoreOptions {
  /** For reads. They see every completed write, and do not wait for writers. */
  readonly reader: Kysely<Tables>;
  readonly writes: Writes;
  /** Runs the read of contents of an owner, without the parsing that follows. @default at once */
  readonly runRead?: <Result>(owner: string, read: () => Promise<Result>) => Promise<Result>;
  /** For renewals of the lease. @default `writes` */
  readonly leaseWrites?: Writes;
  /** @default every write is a transaction */
  readonly quickWrites?: QuickWrites;
  readonly clock: Clock;
  readonly pauses: Pauses;
  /** Identifies this process among all that share the records. */
  readonly instanceId: string;
  /** An instance with an unknown lock that does not renew its lease within this time is considered dead. */
  readonly leaseMs: number;
  /**
   * The time of leases in milliseconds, as an SQL expression. Of one clock for all instances. A prepared query passes its
   * placeholder for the time of `clock`, which a clock outside the database must use.
   */
  readonly leaseClock: (now?: number) => RawBuilder<number>;
  readonly minuteClock: MinuteClock;
  /** Whether only the lease proves that an instance is alive. It then needs a valid lease to send a create. */
  readonly isLeaseRequired: boolean;
  /** Decides whether the other instances renew their leases. */
  readonly leases: LeaseWatch;
  readonly leaseIntervals: LeaseIntervals;
  /** Whether an instance holds its lock. The lock decides whether it is alive; the lease decides only if it is unknown. */
  readonly lockStateOf: (instanceId: string) => LockState;
  /** SQL condition: the instance of a row of `instances` holds a lock of the database. @default there are no such locks */
  readonly holdsLock?: RawBuilder<boolean>;
  /** Removes what remains of the lock of a dead instance. */
  readonly removeLock: (instanceId: string) => void;
  /**
   * Checks that other instances see the writes of this one. Called before every create and every renewal of the lease.
   * @throws RecordsUnavailableError if they do not
   */
  readonly checkShared: () => void;
  /** @default no limits */
  readonly recordLimits?: RecordLimits | undefined;
  /** @default none: task records are not cached */
  readonly readVersion?: ReadVersion | undefined;
  readonly stopWaiting: () => void;
  /** Closes the connections. */
  readonly close: () => Promise<void>;
}

/** Store over a relational database. Uses only SQL that all supported engines understand. */
export function createSqlStore(options: SqlStoreOptions): Store {
  const { reader, writes, minuteClock } = options;
  const instances = createInstanceRecords(options);
  const creations = createCreationRecords(options, instances);
  const secrets = createSecrets(options);
  const room = createRoom(options);
  const orphans = createOrphanRecords(options);
  const expiry = createExpiry(options);
  const generations = createGenerationRecords(options);
  const tasks = createTaskCache(options.readVersion);
  const readiness = createReadiness(options, () => instances.renewLease());
  return {
    instanceId: options.instanceId,
    leaseIntervals: options.leaseIntervals,
    secret: secrets.secret,
    ...creations,
    createDeadline: writes.createDeadline,
    claim: (creation, generation, claim) =>
      readiness.watch(() => creations.claim(creation, generation, claim)),
    markSending: (creationId, deadline) => readiness.watch(() => creations.markSending(creationId, deadline)),
    measureLimits: (owner, quota, now) => readLimitUses(reader, { owner, quota, now, minuteClock }),
    measureRecords: room.measureRecords,
    settle: (creationId, settlement) => {
      const settle = () => readiness.watch(() => creations.settle(creationId, settlement));
      const { task } = settlement;
      return task ? tasks.change([task], settle) : settle();
    },
    ...generations,
    ...createChangeRecords(reader),
    // These may delete tasks with their generations.
    makeRoom: (owner, abandonment, deadline) =>
      tasks.change('all', () => room.makeRoom(owner, abandonment, deadline)),
    release: (creationId, release) => tasks.change('all', () => creations.release(creationId, release)),
    forgetGenerations: (owner, ids, options) =>
      tasks.change('all', () => generations.forgetGenerations(owner, ids, options)),
    recover: (found, recovery) => tasks.change('all', () => orphans.recover(found, recovery)),
    sweep: (expired) => tasks.change('all', () => expiry.sweep(expired)),
    ...createUsageTotals(reader, options.runRead ?? ((_owner, read) => read())),
    ...createTaskRecords(options, tasks),
    ...createAccessTokenRecords(reader),
    ...createClonedVoiceRecords(reader),
    polls: createPollRecords(options),
    renewLease: instances.renewLease,
    findOrphans: orphans.findOrphans,
    isReady: readiness.isReady,
    stopWaiting: options.stopWaiting,
    async close() {
      readiness.close();
      // End the lease, so that other instances settle the unfinished work immediately.
      await instances.endLease().catch(() => {});
      await options.close();
    },
  };
}

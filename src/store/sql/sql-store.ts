import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../store.ts';
import { createCallbackRecords } from './outgoing/callbacks.ts';
import type { CallbackLeases } from './outgoing/callback-leases.ts';
import type { ClaimsOptions } from './creations/claims.ts';
import { createCreationRecords } from './creations/creations.ts';
import { readLimitUses } from './creations/limit-uses.ts';
import { createChangeRecords } from './generations/changes.ts';
import { createGenerationRecords, type GenerationsOptions } from './generations/generations.ts';
import type { Instances } from './instances/instances.ts';
import { createExpiry } from './maintenance/expiry.ts';
import { createRoom } from './maintenance/make-room.ts';
import { createOrphanRecords } from './maintenance/orphans.ts';
import { createOwnerSweep } from './maintenance/sweep-owners.ts';
import { createSecrets } from './owners/secrets.ts';
import { createPollRecords } from './tasks/polls.ts';
import { createPollSweeps } from './maintenance/sweep-polls.ts';
import { createReadiness, type ReadinessOptions } from './basics/readiness.ts';
import { createTaskCache, type ReadVersion } from './tasks/task-cache.ts';
import { createTaskRecords } from './tasks/tasks.ts';
import { createThreadRecords } from './generations/threads.ts';
import { createAccessTokenRecords } from './owners/access-tokens.ts';
import { createClonedVoiceRecords } from './owners/cloned-voices.ts';
import { createUsageTotals } from './owners/usage-totals.ts';
import { createWebhookSetup } from './outgoing/set-up-webhooks.ts';
import { createWebhookSweep } from './outgoing/sweep-webhooks.ts';

export interface SqlStoreOptions
  extends ClaimsOptions, GenerationsOptions, Pick<ReadinessOptions, 'probeWrite' | 'readFreeBytes'> {
  readonly clock: Clock;
  /** The instances that share the records. Absent if one instance at a time uses them. */
  readonly instances?: Instances | undefined;
  /** Of callback subscriptions. Absent if one instance at a time uses the records. */
  readonly callbackLeases?: CallbackLeases | undefined;
  /** @default none: task records are not cached */
  readonly readVersion?: ReadVersion | undefined;
  readonly stopWaiting: () => void;
  /** Closes the connections. */
  readonly close: () => Promise<void>;
}

/** Store over a relational database. Uses only SQL that all supported engines understand. */
export function createSqlStore(options: SqlStoreOptions): Store {
  const { reader, writes, minuteClock, instances } = options;
  const creations = createCreationRecords(options);
  const room = createRoom(options);
  const orphans = createOrphanRecords(options);
  const expiry = createExpiry(options, [
    createOwnerSweep(),
    createWebhookSweep(),
    ...(instances ? createPollSweeps(instances) : []),
  ]);
  const generations = createGenerationRecords(options);
  const tasks = createTaskCache(options.readVersion);
  const readiness = createReadiness(options);
  return {
    instanceId: options.instanceId,
    sharing: instances && {
      leaseIntervals: instances.leaseIntervals,
      now: instances.now,
      renewLease: instances.renewLease,
      holdsLock: instances.holdsLock,
      isAlive: async (id) => !(await instances.isDead(reader, id)),
      polls: createPollRecords({ ...options, instances }),
    },
    callbacks: createCallbackRecords({ ...options, leases: options.callbackLeases }),
    ...createSecrets(options),
    ...creations,
    createDeadline: writes.createDeadline,
    claim: (creation, generation, claim) =>
      readiness.watch(() => creations.claim(creation, generation, claim)),
    measureLimits: (owner, quota, now) => readLimitUses(reader, { owner, quota, now, minuteClock }),
    measureRecords: room.measureRecords,
    settle: (creationId, settlement) => {
      const settle = () => readiness.watch(() => creations.settle(creationId, settlement));
      const { task } = settlement;
      return task ? tasks.change([task], settle) : settle();
    },
    ...generations,
    endGeneration: (id, end) => readiness.watch(() => generations.endGeneration(id, end)),
    ...createChangeRecords(reader),
    // These may delete tasks with their generations.
    makeRoom: (owner, options) => tasks.change([{ owner }], () => room.makeRoom(owner, options)),
    release: (creationId, release) => tasks.change('all', () => creations.release(creationId, release)),
    deleteGenerations: (owner, ids, options) =>
      tasks.change([{ owner }], () => generations.deleteGenerations(owner, ids, options)),
    recover: (found, recovery) => tasks.change('all', () => orphans.recover(found, recovery)),
    sweep: (expired) => tasks.change('all', () => expiry.sweep(expired)),
    ...createThreadRecords(options),
    ...createUsageTotals(reader, options.runRead),
    ...createTaskRecords(options, tasks),
    ...createAccessTokenRecords(reader),
    ...createClonedVoiceRecords(reader),
    ...createWebhookSetup(options),
    findOrphans: orphans.findOrphans,
    async openFiles() {
      // Loaded only here: most servers copy no files.
      const { createFileRecords } = await import('./files/file-records.ts');
      return createFileRecords({ ...options, tasks });
    },
    isReady: readiness.isReady,
    stopWaiting: options.stopWaiting,
    async close() {
      readiness.close();
      // End the lease, so that other instances settle the unfinished work immediately.
      await instances?.endLease().catch(() => {});
      await options.close();
    },
  };
}

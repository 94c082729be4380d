import { setImmediate } from 'node:timers/promises';
import { StreamError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { createInFlight } from '../lib/in-flight.ts';
import type { Orphan, Recovery, Store } from '../store/store.ts';
import { unknownOutcome } from './create-once.ts';
import { toFailure } from './failure.ts';

/** Settles the unfinished work of dead instances, in batches that let other work run in between. */
export interface OrphanRecovery {
  /** Finds the orphans. From then on, `settleFirst` settles those of an owner before the others. Returns their number. */
  find(): Promise<number>;
  /** Settles all orphans that were found. */
  run(): Promise<void>;
  /**
   * Resolves when the orphans of this owner are settled, or an attempt to settle them has failed. Undefined if none were
   * found. A failed attempt does not keep the owner from reading records: the next `find` and `run` repeat it.
   */
  settleFirst(owner: string): Promise<void> | undefined;
  /** Stops after the batch in progress. */
  stop(): void;
}

/** A batch of this size takes about 20 ms. */
const defaultBatchSize = 500;

export function createOrphanRecovery(options: {
  readonly store: Pick<Store, 'findOrphans' | 'recover'>;
  readonly clock: Clock;
  /** Most orphans that are settled in one transaction. @default 500 */
  readonly batchSize?: number;
}): OrphanRecovery {
  const { store, clock, batchSize = defaultBatchSize } = options;
  /** By owner. A create is settled before its generation. */
  const found = new Map<string, Orphan[]>();
  const settling = new Map<string, Promise<void>>();
  /** Owners that are settled before all others. */
  const first = createInFlight();
  let isStopped = false;

  const settleAll = async (orphans: readonly Orphan[], isFirst: boolean): Promise<void> => {
    for (let start = 0; start < orphans.length && !isStopped; start += batchSize) {
      if (start > 0) await setImmediate();
      if (!isFirst) await first.waitUntilIdle();
      await store.recover(orphans.slice(start, start + batchSize), createPatches(clock.now()));
    }
  };
  /** Settles the orphans of these owners together. `isFirst`: before those of other owners. */
  const settle = async (owners: readonly string[], isFirst: boolean): Promise<void> => {
    const orphans = owners.flatMap((owner) => found.get(owner) ?? []);
    const settled = settleAll(orphans, isFirst);
    for (const owner of owners) {
      found.delete(owner);
      settling.set(owner, settled);
    }
    try {
      await settled;
    } finally {
      for (const owner of owners) settling.delete(owner);
    }
  };
  const settleOne = (owner: string): Promise<void> =>
    // The next round repeats a failed one.
    first.run(() => settle([owner], true)).catch(() => {});
  /** The next owners, with at most a batch of orphans in total unless the first has more. */
  const takeOwners = (): readonly string[] => {
    const owners: string[] = [];
    let count = 0;
    for (const [owner, orphans] of found) {
      count += orphans.length;
      if (owners.length > 0 && count > batchSize) break;
      owners.push(owner);
    }
    return owners;
  };

  return {
    async find() {
      const all = await store.findOrphans();
      found.clear();
      for (const [owner, orphans] of Map.groupBy(all, (orphan) => orphan.owner)) found.set(owner, orphans);
      return all.length;
    },
    async run() {
      for (let owners = takeOwners(); owners.length > 0 && !isStopped; owners = takeOwners()) {
        await settle(owners, false);
        await setImmediate();
      }
    },
    settleFirst(owner) {
      if (found.has(owner)) return settleOne(owner);
      return settling.get(owner)?.catch(() => {});
    },
    stop() {
      isStopped = true;
    },
  };
}

function createPatches(now: number): Recovery {
  const error = new StreamError('INTERRUPTED', 'The server stopped while this generation was running.');
  return {
    unknown: unknownOutcome(now),
    interrupted: { status: 'FAILED', finishedAt: now, isVisible: true, error: toFailure(error) },
  };
}

/** Wraps a store: settles the orphans of an owner before the records of this owner are read or claimed. */
export function recoverFirst(store: Store, { settleFirst }: Pick<OrphanRecovery, 'settleFirst'>): Store {
  const first =
    <Rest extends readonly unknown[], Result>(use: (owner: string, ...rest: Rest) => Promise<Result>) =>
    async (owner: string, ...rest: Rest): Promise<Result> => {
      const settled = settleFirst(owner);
      if (settled) await settled;
      return use(owner, ...rest);
    };
  const claim = first((_owner, ...claimed: Parameters<Store['claim']>) => store.claim(...claimed));
  return {
    ...store,
    claim: (creation, ...rest) => claim(creation.owner, creation, ...rest),
    measureLimits: first(store.measureLimits),
    findCreation: first(store.findCreation),
    findGenerations: first(store.findGenerations),
    findSummaries: first(store.findSummaries),
    measureContents: first(store.measureContents),
    findContents: first(store.findContents),
    countGenerations: first(store.countGenerations),
    listGenerations: first(store.listGenerations),
    findThread: first(store.findThread),
    measureThreads: first(store.measureThreads),
    listContinuations: first(store.listContinuations),
    deleteGenerations: first(store.deleteGenerations),
    sumUsage: first(store.sumUsage),
  };
}

import { LRUCache } from 'lru-cache';
import { type Caller, type HeldKey, isHeldOwner, toHeldCaller } from '../gateway/caller.ts';
import { limitEntries } from '../lib/cache-limits.ts';
import type { Clock } from '../lib/clock.ts';
import { onSetBack } from '../lib/on-set-back.ts';
import type { GenerationKind } from '../store/records.ts';
import { earliestTime } from '../store/sharing.ts';
import type { Store } from '../store/store.ts';
import type { Poller } from './poller.ts';

export interface ResumeFollowingOptions {
  readonly store: Pick<Store, 'findUnfinishedTasks' | 'findUnfinishedOwners' | 'sharing'>;
  readonly poller: Pick<Poller, 'follow'>;
  readonly clock: Clock;
  /** Tasks older than this are not followed. */
  readonly followMs: number;
  /** Kinds without a status read. */
  readonly untrackableKinds: readonly GenerationKind[];
  /** Absent if callers bring their own credentials. */
  readonly heldKey: HeldKey | undefined;
  readonly onFailed: (error: unknown) => void;
}

/**
 * Continues an owner's unfinished tasks after a restart: at once if the server's key serves the owner, otherwise as soon as
 * the gateway accepts a credential of that owner, or the owner reads the status of one of them. If the system clock is set back,
 * looks them up again.
 */
export interface ResumeFollowing {
  /** The gateway accepted a request of this caller. Cheap when the owner's tasks are followed already. */
  accepted(caller: Caller): void;
  /** This caller has an unfinished task, so the gateway accepted its credential before. Resumes unless it was refused since. */
  hasUnfinished(caller: Caller): void;
  /** Continues the tasks of all owners whom the server's key serves. Tries again until that succeeds. */
  resumeHeld(): void;
  /**
   * Tasks of these owners are polled by nobody. Continues those of owners whose credential was accepted before, or whom the
   * server's key serves.
   */
  resume(owners: readonly string[]): void;
  /** The owner's tasks are not followed any more. The next accepted request resumes them. */
  forget(owner: string): void;
  close(): void;
}

const maxOwners = 10_000;
const maxTasksPerOwner = 1000;
const ownersPerPage = 500;
const retryMs = 30_000;

export function createResumeFollowing(options: ResumeFollowingOptions): ResumeFollowing {
  const { store, poller, clock, followMs, untrackableKinds, heldKey } = options;
  const owners = new LRUCache<string, Caller>(limitEntries(maxOwners));
  /** Owners whose credential the gateway refused, until it accepts one. */
  const refused = new LRUCache<string, true>(limitEntries(maxOwners));
  let cancelRetry = (): void => {};
  let isClosed = false;

  const follow = async (caller: Caller): Promise<void> => {
    const found = await store.findUnfinishedTasks(caller.owner, {
      createdAfter: earliestTime(store, clock) - followMs,
      skippedKinds: untrackableKinds,
      limit: maxTasksPerOwner,
    });
    poller.follow(caller, found);
  };
  const heldCaller = (owner: string): Caller | undefined =>
    heldKey && isHeldOwner(owner) ? toHeldCaller(owner, heldKey) : undefined;
  const followHeld = async (): Promise<void> => {
    for (let after = ''; ;) {
      const found = await store.findUnfinishedOwners({
        createdAfter: earliestTime(store, clock) - followMs,
        skippedKinds: untrackableKinds,
        after,
        limit: ownersPerPage,
      });
      for (const owner of found) {
        const caller = heldCaller(owner);
        if (caller) await follow(caller);
      }
      const last = found.at(-1);
      if (last === undefined) return;
      after = last;
    }
  };
  const resume = (caller: Caller): Promise<void> =>
    follow(caller).catch((error: unknown) => {
      owners.delete(caller.owner);
      options.onFailed(error);
    });

  const resumeHeld = (): void => {
    followHeld().catch((error: unknown) => {
      if (isClosed) return;
      options.onFailed(error);
      // No request may come from their owners.
      cancelRetry = clock.after(retryMs, resumeHeld);
    });
  };
  /** While the clock was ahead, tasks seemed too old to be followed. */
  const resumeAll = async (): Promise<void> => {
    cancelRetry();
    if (heldKey) resumeHeld();
    // A failure removes its owner.
    const callers = [...owners.values()];
    for (const caller of callers) if (!isClosed) await resume(caller);
  };
  const cancelWatch = followMs > 0 ? onSetBack(clock, () => void resumeAll()) : () => {};
  const accepted: ResumeFollowing['accepted'] = (calling) => {
    if (followMs === 0 || owners.get(calling.owner)) return;
    refused.delete(calling.owner);
    const { trace: _trace, ...ownCaller } = calling;
    // Another credential of the server may have been accepted, which reads no tasks.
    const caller = heldCaller(ownCaller.owner) ?? ownCaller;
    owners.set(caller.owner, caller);
    void resume(caller);
  };

  return {
    accepted,
    hasUnfinished(caller) {
      // A caller from a record has no credential.
      if (caller.isRecorded !== true && !refused.has(caller.owner)) accepted(caller);
    },
    resumeHeld() {
      if (heldKey && followMs > 0) resumeHeld();
    },
    resume(lost) {
      for (const owner of lost) {
        const caller = owners.get(owner) ?? heldCaller(owner);
        if (caller) void resume(caller);
      }
    },
    forget(owner) {
      owners.delete(owner);
      refused.set(owner, true);
    },
    close() {
      isClosed = true;
      cancelRetry();
      cancelWatch();
    },
  };
}

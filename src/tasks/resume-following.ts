import { LRUCache } from 'lru-cache';
import type { Caller } from '../gateway/caller.ts';
import type { Clock } from '../lib/clock.ts';
import type { GenerationKind } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Poller } from './poller.ts';

export interface ResumeFollowingOptions {
  readonly store: Pick<Store, 'findUnfinishedTasks'>;
  readonly poller: Pick<Poller, 'follow'>;
  readonly clock: Clock;
  /** Tasks older than this are not followed. */
  readonly followMs: number;
  /** Kinds without a status read. */
  readonly untrackableKinds: readonly GenerationKind[];
  readonly onFailed: (error: unknown) => void;
}

/** Continues an owner's unfinished tasks after a restart, as soon as the gateway accepts a credential of that owner. */
export interface ResumeFollowing {
  /** The gateway accepted a request of this caller. Cheap when the owner's tasks are followed already. */
  accepted(caller: Caller): void;
  /** Tasks of these owners are polled by nobody. Continues those of owners whose credential was accepted before. */
  resume(owners: readonly string[]): void;
  /** The owner's tasks are not followed any more. The next accepted request resumes them. */
  forget(owner: string): void;
}

const maxOwners = 10_000;
const maxTasksPerOwner = 1000;

export function createResumeFollowing(options: ResumeFollowingOptions): ResumeFollowing {
  const { store, poller, clock, followMs, untrackableKinds } = options;
  const owners = new LRUCache<string, Caller>({ max: maxOwners });

  const follow = async (caller: Caller): Promise<void> => {
    const found = await store.findUnfinishedTasks(caller.owner, {
      createdAfter: clock.now() - followMs,
      skippedKinds: untrackableKinds,
      limit: maxTasksPerOwner,
    });
    poller.follow(caller, found);
  };
  const resume = (caller: Caller): void => {
    follow(caller).catch((error: unknown) => {
      owners.delete(caller.owner);
      options.onFailed(error);
    });
  };

  return {
    accepted({ trace: _trace, ...caller }) {
      if (followMs === 0 || owners.get(caller.owner)) return;
      owners.set(caller.owner, caller);
      resume(caller);
    },
    resume(lost) {
      for (const owner of lost) {
        const caller = owners.get(owner);
        if (caller) resume(caller);
      }
    },
    forget: (owner) => void owners.delete(owner),
  };
}

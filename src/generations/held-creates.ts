import { noLimits } from '../lib/fairness/fair-queue.ts';
import { createSharedWaits } from '../lib/fairness/shared-waits.ts';
import { sliceMs } from '../lib/fairness/slice.ts';
import { outcomeOf } from '../lib/once.ts';
import type { Creation } from '../store/records.ts';

/** A create with a key that this process works on: it is being sent, its reply streams, or its record is not written yet. */
export interface HeldCreate {
  readonly creation: Creation;
  /** The outcome for a duplicate, as a function that returns the result or throws. Duplicates go on in turns. */
  readonly join: () => Promise<() => unknown>;
  /** Whether it has the key. Otherwise it may be a duplicate, or a conflict, of a create that is in the records alone. */
  isClaimed: boolean;
  /** Of each operation that gets the outcome, until it has the key: whether its client still waits. Undefined if unknown. */
  readonly waiting: ((() => boolean) | undefined)[];
}

export interface HeldKey {
  /** It has the key. */
  claim(): void;
  /** Whether a client may wait for the outcome. */
  isAwaited(): boolean;
  /** Releases it when all of these have settled. Without any, at once. */
  release(after: readonly (Promise<unknown> | undefined)[]): void;
}

/** The creates that this process works on, in memory: their duplicates need no records, which may be unavailable. */
export function createHeldCreates() {
  const held = new Map<string, HeldCreate>();
  const bySubject = new Map<string, HeldCreate>();
  const waits = createSharedWaits({ lengthMs: sliceMs.operations });
  // Owners contain no line feed.
  const nameOf = (owner: string, key: string): string => `${owner}\n${key}`;
  return {
    find: (owner: string, key: string | undefined) =>
      key === undefined ? undefined : held.get(nameOf(owner, key)),
    /** Also while another create with its key is found instead. */
    findBySubject: (subjectId: string) => bySubject.get(subjectId),
    /** Holds a create until it is released. */
    hold(creation: Creation, outcome: Promise<unknown>, isAwaited: (() => boolean) | undefined): HeldKey {
      const { owner, key, subjectId } = creation;
      if (key === undefined) return { claim() {}, isAwaited: () => true, release() {} };
      const name = nameOf(owner, key);
      const wait = waits([{ key: owner, limits: noLimits }]);
      const join = (): Promise<() => unknown> => wait(() => outcomeOf(outcome));
      const create: HeldCreate = { creation, join, isClaimed: false, waiting: [isAwaited] };
      if (!held.has(name)) held.set(name, create);
      bySubject.set(subjectId, create);
      const release = (): void => {
        bySubject.delete(subjectId);
        if (held.get(name) === create) held.delete(name);
      };
      return {
        claim() {
          create.isClaimed = true;
          create.waiting.length = 0;
          held.set(name, create);
        },
        isAwaited: () => create.waiting.some((isWaiting) => isWaiting?.() ?? true),
        release(after) {
          const pending = after.filter((each) => each !== undefined);
          if (pending.length === 0) release();
          else void Promise.allSettled(pending).then(release);
        },
      };
    },
  };
}

/** Keys from clients and keys from operation ids have separate namespaces. */
export function toStoredKey({ source, value }: { readonly source: string; readonly value: string }): string {
  return `${source}:${value}`;
}

import { beforeSending } from '../store/before-sending.ts';
import type { Store } from '../store/store.ts';
import type { RecordLater } from './record-later.ts';

type ReleaseOptions = Parameters<Store['release']>[1];

/** Gives back the keys of creates that cannot have cost anything: now, or once the records can be written again. */
export interface KeyReturns {
  /** Never fails: whoever waits for the create is told why that failed, not how its record does. */
  giveBack(creationId: string, options?: ReleaseOptions): Promise<void>;
  /** Whether a creation holds its key only because that could not be given back yet. */
  isOverdue(creationId: string): boolean;
  /** Gives such a key back for whoever wants it. @throws what keeps the records from being written */
  giveBackNow(creationId: string): Promise<void>;
}

export function createKeyReturns(store: Store, later: RecordLater): KeyReturns {
  const overdue = new Map<string, ReleaseOptions>();
  const release = async (creationId: string, options: ReleaseOptions): Promise<void> => {
    await store.release(creationId, options);
    overdue.delete(creationId);
  };
  return {
    async giveBack(creationId, options) {
      try {
        await release(creationId, options);
      } catch {
        overdue.set(creationId, options);
        later.add('the return of a key', () => release(creationId, options));
      }
    },
    isOverdue: (creationId) => overdue.has(creationId),
    giveBackNow: (creationId) => beforeSending(() => release(creationId, overdue.get(creationId))),
  };
}

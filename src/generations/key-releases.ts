import type { Store } from '../store/store.ts';
import type { WriteRetries } from './write-retries.ts';

type ReleaseOptions = Parameters<Store['release']>[1];

/** Releases the keys of creates that were not charged. Retries while the store cannot write. */
export interface KeyReleases {
  /** Never rejects: the caller must receive the error of its create, not an error of the store. */
  release(creationId: string, options?: ReleaseOptions): Promise<void>;
  /** Releases in the background. The key counts as overdue until then. */
  releaseLater(creationId: string, options?: ReleaseOptions): void;
  /** Whether a creation holds its key only because its release could not be recorded yet. */
  isOverdue(creationId: string): boolean;
  /** Releases an overdue key for a new create. @throws RecordsUnavailableError when the store still cannot be written */
  releaseOverdue(creationId: string): Promise<void>;
}

export function createKeyReleases(store: Store, writeRetries: WriteRetries): KeyReleases {
  const overdue = new Map<string, ReleaseOptions>();
  const write = async (creationId: string, options: ReleaseOptions): Promise<void> => {
    await store.release(creationId, options);
    overdue.delete(creationId);
  };
  const releaseLater: KeyReleases['releaseLater'] = (creationId, options) => {
    overdue.set(creationId, options);
    writeRetries.add('the release of a key', () => write(creationId, options));
  };
  return {
    async release(creationId, options) {
      try {
        await write(creationId, options);
      } catch {
        releaseLater(creationId, options);
      }
    },
    releaseLater,
    isOverdue: (creationId) => overdue.has(creationId),
    releaseOverdue: (creationId) => write(creationId, overdue.get(creationId)),
  };
}

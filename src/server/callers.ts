import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../gateway/caller.ts';
import type { Store } from '../store/store.ts';
import { type IdentitySources, readIdentity } from './identity.ts';

/** Identifies callers. Records hold only a hash of the caller, keyed by a secret of the store, so they reveal no credential. */
export interface Callers {
  /**
   * The caller of an operation. Undefined without a credential.
   * @throws RequestError for an unusable or contradictory identity
   */
  find(sources: IdentitySources): Promise<Caller | undefined>;
}

export interface CallersOptions {
  readonly store: Store;
  /** Whether client messages may replace the identity of the upgrade request. @default false */
  readonly canClientOverride?: boolean;
}

/** Size of the in-memory cache of owner hashes. Hashing on each request would be a tenth of the cost of a small query. */
const maxCachedOwners = 10_000;

export function createCallers({ store, canClientOverride = false }: CallersOptions): Callers {
  const owners = new LRUCache<string, string>({ max: maxCachedOwners });
  const ownerOf = async (...parts: readonly (string | undefined)[]): Promise<string> => {
    const identity = JSON.stringify(parts.map((part) => part ?? null));
    const known = owners.get(identity);
    if (known !== undefined) return known;
    const owner = createHmac('sha256', await store.secret())
      .update(identity)
      .digest('base64url');
    owners.set(identity, owner);
    return owner;
  };
  return {
    async find(sources) {
      const { credential, userId, endUser, forwarded } = readIdentity(sources, canClientOverride);
      if (credential === undefined) return undefined;
      return { owner: await ownerOf(credential, userId, endUser), credential, userId, forwarded };
    },
  };
}

import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../gateway/caller.ts';
import { isRecord } from '../lib/json.ts';
import type { Store } from '../store/store.ts';

/** Holds credentials: HTTP headers, `connectionParams`, or the headers of an editor. Later sources override earlier ones. */
export type CredentialSource = unknown;

/** Identifies callers. Records hold only a hash of the caller, keyed by a secret of the store, so they reveal no credential. */
export interface Callers {
  find(...sources: readonly CredentialSource[]): Promise<Caller | undefined>;
}

/** Headers forwarded to the gateway's chat endpoint (gateway documentation, endpoint 1). */
const forwardedNames = ['x-forwarded-hoapp-codest'];

/** Size of the in-memory cache of owner hashes. Hashing on each request would be a tenth of the cost of a small query. */
const maxCachedOwners = 10_000;

export function createCallers(store: Store): Callers {
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
    async find(...sources) {
      const values = readSources(sources);
      const credential = bareCredential(values.get('authorization'));
      if (credential === undefined) return undefined;
      const userId = values.get('new-api-user');
      const owner = await ownerOf(credential, userId, values.get('x-end-user'));
      const forwarded = forwardedNames.flatMap((name) => {
        const value = values.get(name);
        return value === undefined ? [] : [[name, value] as const];
      });
      return { owner, credential, userId, forwarded: Object.fromEntries(forwarded) };
    },
  };
}

function readSources(sources: readonly CredentialSource[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const source of sources) {
    if (!isRecord(source)) continue;
    const own = new Map<string, string>();
    for (const [name, value] of Object.entries(source)) {
      const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
      // Accept only valid header values, because the value is forwarded as a header.
      if (text !== '' && /^[\t\u0020-\u007E\u0080-\u00FF]+$/.test(text)) own.set(name.toLowerCase(), text);
    }
    const token = own.get('token');
    if (token !== undefined && !own.has('authorization')) own.set('authorization', token);
    for (const [name, text] of own) values.set(name, text);
  }
  return values;
}

/**
 * `Bearer x`, `bearer x` and `x` are the same credential. Any other value with a space belongs to another scheme, such as the
 * `Basic …` of a reverse proxy. It is not a credential for the gateway and must not be forwarded.
 */
function bareCredential(value: string | undefined): string | undefined {
  const bare = value?.replace(/^bearer(\s+|$)/i, '').trim();
  if (!bare || (bare === value && /\s/.test(bare))) return undefined;
  return bare;
}

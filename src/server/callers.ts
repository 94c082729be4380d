import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../gateway/caller.ts';
import { isRecord } from '../lib/json.ts';
import type { Store } from '../store/store.ts';

/** Where a caller may say who it is: HTTP headers, `connectionParams`, or headers typed in an editor. Later ones win. */
export type CredentialSource = unknown;

/** Finds out who calls. The owner's hash is keyed by a secret of the store, so that records tell nothing of credentials. */
export interface Callers {
  find(...sources: readonly CredentialSource[]): Promise<Caller | undefined>;
}

/** Passes through to the gateway's chat endpoint (the gateway's document, endpoint 1). */
const forwardedNames = ['x-forwarded-hoapp-codest'];

/** Callers come again: a keyed hash each time would be a tenth of a small query's cost. Kept in memory only. */
const maxKnownOwners = 10_000;

export function createCallers(store: Store): Callers {
  const owners = new LRUCache<string, string>({ max: maxKnownOwners });
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
      // Only what can be a header's value: it is sent on as one.
      if (text !== '' && /^[\t\u0020-\u007E\u0080-\u00FF]+$/.test(text)) own.set(name.toLowerCase(), text);
    }
    const token = own.get('token');
    if (token !== undefined && !own.has('authorization')) own.set('authorization', token);
    for (const [name, text] of own) values.set(name, text);
  }
  return values;
}

/**
 * `Bearer x`, `bearer x` and `x` are the same credential. A space after any other word is of another scheme, such as the
 * `Basic …` of a proxy before us: that is no credential for the gateway, and none of ours to send there.
 */
function bareCredential(value: string | undefined): string | undefined {
  const bare = value?.replace(/^bearer(\s+|$)/i, '').trim();
  if (!bare || (bare === value && /\s/.test(bare))) return undefined;
  return bare;
}

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { canonicalPieces } from '../lib/canonical-json.ts';
import { hashInPieces } from '../lib/json-pieces.ts';
import type { Pauses } from '../lib/pauses.ts';
import type { Store } from '../store/store.ts';

/** A keyed hash of an operation and its input, by which duplicates of a create are recognized. */
export type Fingerprint = (operation: string, input: unknown) => Promise<string>;

export function createFingerprint(store: Pick<Store, 'secret'>, pauses: Pauses): Fingerprint {
  let known: { readonly secret: Uint8Array; readonly key: KeyObject } | undefined;
  return async (operation, input) => {
    const secret = await store.secret();
    // A key object saves Node from importing the secret for every hash, which takes longer than the hash.
    if (known?.secret !== secret) known = { secret, key: createSecretKey(secret) };
    const hmac = createHmac('sha256', known.key);
    await hashInPieces(hmac, canonicalPieces([operation, input]), pauses);
    return hmac.digest('base64url');
  };
}

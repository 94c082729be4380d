import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { canonicalPieces } from '../lib/canonical-json.ts';
import { hashInPieces } from '../lib/json-pieces.ts';
import type { Store } from '../store/store.ts';

/** The keyed hash of a create's operation and input: equal for creates that may share a key. */
export function createFingerprints(
  store: Pick<Store, 'secret'>,
): (operation: string, input: unknown) => Promise<string> {
  let held: { readonly secret: Uint8Array; readonly key: KeyObject } | undefined;
  return async (operation, input) => {
    const secret = await store.secret();
    // A key object saves Node from importing the secret for every hash, which takes longer than the hash.
    if (held?.secret !== secret) held = { secret, key: createSecretKey(secret) };
    const hmac = createHmac('sha256', held.key);
    await hashInPieces(hmac, canonicalPieces([operation, input]));
    return hmac.digest('base64url');
  };
}

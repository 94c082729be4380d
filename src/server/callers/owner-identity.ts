import { createHmac } from 'node:crypto';
import { toHeldOwner } from '../../gateway/caller.ts';
import type { Identity } from './identity.ts';

/** Who owns records, before it is hashed. */
export type OwnerIdentity =
  /** A caller with a credential of the gateway. */
  | { readonly type: 'key'; readonly credential: string; readonly identity: Omit<Identity, 'credential'> }
  /** A user of an issuer. */
  | { readonly type: 'token'; readonly issuer: string; readonly subject: string }
  /** A caller without a credential, for whom the server uses its key. */
  | { readonly type: 'unnamed'; readonly endUser: string | undefined };

/** Different for different owners. */
export function serializeOwner(owner: OwnerIdentity): string {
  switch (owner.type) {
    case 'key': {
      const { credential, identity } = owner;
      return JSON.stringify([credential, identity.userId ?? null, identity.endUser ?? null]);
    }
    case 'token': {
      const { issuer, subject } = owner;
      return JSON.stringify({ issuer, subject });
    }
    case 'unnamed':
      return JSON.stringify({ endUser: owner.endUser ?? null });
    default:
      return owner satisfies never;
  }
}

/** The owner as records and the log have it. It reveals no credential. */
export function hashOwner(
  secret: Uint8Array,
  owner: OwnerIdentity,
  serialized = serializeOwner(owner),
): string {
  const hash = createHmac('sha256', secret).update(serialized).digest('base64url');
  return owner.type === 'key' ? hash : toHeldOwner(hash);
}

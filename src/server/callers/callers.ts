import { LRUCache } from 'lru-cache';
import { RequestError } from '../../errors.ts';
import { type Caller, type HeldKey, toHeldCaller } from '../../gateway/caller.ts';
import { limitEntries } from '../../lib/cache-limits.ts';
import type { SharedWait } from '../../lib/fairness/shared-waits.ts';
import type { Store } from '../../store/store.ts';
import { looksLikeToken } from './sign-in/looks-like-token.ts';
import type { TokenVerifier } from './sign-in/verify-token.ts';
import { type IdentitySources, type PresentedIdentity, readIdentity } from './identity.ts';
import { hashOwner, type OwnerIdentity, serializeOwner } from './owner-identity.ts';

/** Identifies callers. Records hold only a hash of the caller, keyed by a secret of the store, so they reveal no credential. */
export interface Callers {
  /**
   * The caller of an operation. Undefined without a credential. `wait`: for the check of a token.
   * @throws RequestError for an identity that is unusable, contradictory or not valid
   */
  find(sources: IdentitySources, wait: SharedWait): Promise<Caller | undefined>;
  /** Whether callers can sign in with tokens, which expire. */
  readonly checksTokens: boolean;
}

export interface CallersOptions {
  readonly store: Pick<Store, 'secret'>;
  /** Whether client messages may replace the identity of the upgrade request. @default false */
  readonly canClientOverride?: boolean;
  /** Whether the gateway learns the host that the client used. @default false */
  readonly forwardsHost?: boolean;
  /** @default credentials are those of the gateway */
  readonly signIn?: SignIn | undefined;
}

/** How callers sign in to use the key of the server. */
export interface SignIn {
  readonly heldKey: HeldKey;
  /** Absent if everyone without a credential may use the key. */
  readonly verifier?: TokenVerifier | undefined;
  /** Whether credentials of the gateway are accepted too. */
  readonly acceptsKeys: boolean;
}

/** Size of the in-memory cache of owner hashes. Hashing on each request would be a tenth of the cost of a small query. */
const maxCachedOwners = 10_000;
/** Credentials may be long. */
const maxCachedChars = 4_000_000;

export function createCallers(options: CallersOptions): Callers {
  const { store, canClientOverride = false, forwardsHost = false, signIn } = options;
  const owners = new LRUCache<string, string>(
    limitEntries(maxCachedOwners, maxCachedChars, (_owner, identity) => identity.length),
  );
  const ownerOf = async (identity: OwnerIdentity): Promise<string> => {
    const serialized = serializeOwner(identity);
    const known = owners.get(serialized);
    if (known !== undefined) return known;
    const owner = hashOwner(await store.secret(), identity, serialized);
    owners.set(serialized, owner);
    return owner;
  };

  const withOwnKey = async (identity: PresentedIdentity, credential: string): Promise<Caller> => {
    const { userId, forwarded } = identity;
    return { owner: await ownerOf({ type: 'key', credential, identity }), credential, userId, forwarded };
  };
  const signedIn = async (identity: PresentedIdentity, text: string, signer: Signer): Promise<Caller> => {
    assertAlone(identity);
    const token = await signer.verifier.verify(text, signer.wait);
    const { issuer, subject } = token;
    const owner = await ownerOf({ type: 'token', issuer, subject });
    return toHeldCaller(owner, signer.heldKey, { token, forwarded: identity.forwarded });
  };
  const unnamed = async ({ endUser, forwarded }: PresentedIdentity, heldKey: HeldKey): Promise<Caller> => {
    const owner = await ownerOf({ type: 'unnamed', endUser });
    return toHeldCaller(owner, heldKey, { forwarded });
  };

  const find = async (sources: IdentitySources, wait: SharedWait): Promise<Caller | undefined> => {
    const identity = readIdentity(sources, canClientOverride);
    const { credential } = identity;
    const verifier = signIn?.verifier;
    if (credential === undefined) return signIn && !verifier ? unnamed(identity, signIn.heldKey) : undefined;
    if (signIn && verifier && looksLikeToken(credential))
      return signedIn(identity, credential, { ...signIn, verifier, wait });
    if (signIn?.acceptsKeys === false)
      throw new RequestError(
        'UNAUTHENTICATED',
        'The credential is not a token. Sign in, and send "Authorization: Bearer <token>".',
      );
    return withOwnKey(identity, credential);
  };

  return {
    checksTokens: signIn?.verifier !== undefined,
    async find(sources, wait) {
      const caller = await find(sources, wait);
      const { host } = sources.headers;
      return caller && forwardsHost && host !== undefined ? { ...caller, host } : caller;
    },
  };
}

type Signer = Pick<SignIn, 'heldKey'> & { readonly verifier: TokenVerifier; readonly wait: SharedWait };

/** A token names its user. Dropping another name would merge users, and using it would let a user take many names. */
function assertAlone({ userId, endUser }: PresentedIdentity): void {
  if (userId === undefined && endUser === undefined) return;
  const name = userId === undefined ? 'X-End-User' : 'new-api-user';
  throw new RequestError(
    'BAD_REQUEST',
    `${name} cannot be used with a token, which names its user. Remove it.`,
  );
}

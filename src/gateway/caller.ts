import type { LimitClaims } from '../caller-limits.ts';
import { AuthenticationError, RequestError } from '../errors.ts';
import type { TraceContext } from '../lib/trace-context.ts';

/** Identity and credential of the caller of one operation. */
export interface Caller {
  /** Trace context of the operation, propagated to the gateway. */
  readonly trace?: TraceContext | undefined;
  /** Keyed hash of credential, user id and end user, or of the issuer and user of a token. Only this hash is stored. */
  readonly owner: string;
  /** The bare credential for the gateway, without `Bearer`. */
  readonly credential: string;
  /** The host that the client used for this server. Present if the gateway is a sandbox whose media its browser loads. */
  readonly host?: string | undefined;
  /** `new-api-user` header, required to create access tokens. */
  readonly userId: string | undefined;
  /** Headers forwarded to the gateway's chat endpoint. */
  readonly forwarded: Readonly<Record<string, string>>;
  /** Present if the server's own key serves this caller. All such callers share one account at the gateway. */
  readonly heldKey?: HeldKey | undefined;
  /**
   * Present if the caller is known from a record: its credential is gone, so nothing can be read at the gateway for it. The server
   * accepted it before.
   */
  readonly isRecorded?: true | undefined;
  /** The token that the caller signed in with. Absent for work that the server continues by itself. */
  readonly token?: VerifiedToken | undefined;
}

/** The credentials that the server holds now. They change when the operator replaces them. */
export interface HeldKey {
  readonly apiKey: string;
  /** Creates access tokens. */
  readonly system?: { readonly token: string; readonly userId: string } | undefined;
}

/** What a caller with the server's key may do only with a scope. */
export type Permission = 'createAccessToken' | 'accessTokens' | 'adoptTask';

/** The scope that each permission needs. */
export type ScopeNames = Readonly<Record<Permission, string>>;

/** The claims of a token whose signature, issuer, audience and times are valid. */
export interface VerifiedToken {
  readonly issuer: string;
  /** The user: the claim `AUTH_OWNER_CLAIM`. */
  readonly subject: string;
  /** In whole milliseconds since the epoch. Includes the clock tolerance. */
  readonly expiresAt: number;
  readonly scopes: ReadonlySet<string>;
  readonly scopeNames: ScopeNames;
  /** Replace the limits of the settings for its owner. */
  readonly limits: LimitClaims;
}

/** Callers with a credential of their own may do what the gateway allows them. */
export function hasPermission({ heldKey, token }: Caller, permission: Permission): boolean {
  if (!heldKey) return true;
  return token !== undefined && token.scopes.has(token.scopeNames[permission]);
}

/** @throws RequestError FORBIDDEN */
export function requirePermission(caller: Caller, permission: Permission, action: string): void {
  if (hasPermission(caller, permission)) return;
  const scope = caller.token?.scopeNames[permission];
  throw new RequestError(
    'FORBIDDEN',
    scope === undefined
      ? `${action} needs a credential of your own: the key of this server does not serve it.`
      : `${action} needs a token with the scope "${scope}".`,
  );
}

/** Marks the owners whom the server's key serves. The hashes of other owners cannot start with it. */
const heldMark = '@';

/** The owner for a hash whose records the server's key may read at the gateway. */
export function toHeldOwner(hash: string): string {
  return heldMark + hash;
}

/** Whether the server's own key serves this owner. */
export function isHeldOwner(owner: string): boolean {
  return owner.startsWith(heldMark);
}

/** A caller for whom the server uses its key. */
export function toHeldCaller(
  owner: string,
  heldKey: HeldKey,
  { token, forwarded = {} }: Partial<Pick<Caller, 'token' | 'forwarded'>> = {},
): Caller {
  return { owner, credential: heldKey.apiKey, userId: undefined, forwarded, heldKey, token };
}

/** The caller of work that another instance, or an earlier process, began. */
export function toRecordedCaller(owner: string, heldKey: HeldKey | undefined): Caller {
  const isRecorded = true;
  if (heldKey && isHeldOwner(owner)) return { ...toHeldCaller(owner, heldKey), isRecorded };
  return { owner, credential: '', userId: undefined, forwarded: {}, isRecorded };
}

/** Long work keeps its caller, whose key may have been replaced. A system token is taken for each request. */
export function withCurrentKey(caller: Caller): Caller {
  const { heldKey, credential, userId } = caller;
  if (!heldKey || userId !== undefined || credential === heldKey.apiKey) return caller;
  return { ...caller, credential: heldKey.apiKey };
}

/** How an endpoint expects the credential (gateway documentation, "Authentication"). */
export type CredentialForm = 'bearer' | 'system-token' | 'api-key-header' | 'key-query';

export interface PresentedCredential {
  readonly headers: Readonly<Record<string, string>>;
  /** Absent if it is not part of the URL. */
  readonly query?: Readonly<Record<string, string>>;
}

/** @throws AuthenticationError if the credential is gone */
export function presentCredential(caller: Caller, form: CredentialForm): PresentedCredential {
  if (caller.credential === '')
    throw new AuthenticationError(
      'This subscription moved to a server that does not have your credential. Subscribe again to read from the gateway.',
    );
  switch (form) {
    case 'bearer':
      return { headers: { authorization: `Bearer ${caller.credential}` } };
    case 'system-token':
      return { headers: { authorization: caller.credential, 'new-api-user': caller.userId ?? '' } };
    case 'api-key-header':
      return { headers: { 'api-key': caller.credential } };
    case 'key-query':
      return { headers: {}, query: { key: caller.credential } };
    default:
      return form satisfies never;
  }
}

import type { TraceContext } from '../lib/trace-context.ts';

/** Identity and credential of the caller of one operation. */
export interface Caller {
  /** Trace context of the operation, propagated to the gateway. */
  readonly trace?: TraceContext | undefined;
  /** Keyed hash of credential, user id and end user. Only this hash is stored. */
  readonly owner: string;
  /** The bare credential, without `Bearer`. */
  readonly credential: string;
  /** `new-api-user` header, required to create access tokens. */
  readonly userId: string | undefined;
  /** Headers forwarded to the gateway's chat endpoint. */
  readonly forwarded: Readonly<Record<string, string>>;
}

/** How an endpoint expects the credential (gateway documentation, "Authentication"). */
export type CredentialForm = 'bearer' | 'system-token' | 'api-key-header' | 'key-query';

export interface PresentedCredential {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

export function presentCredential(caller: Caller, form: CredentialForm): PresentedCredential {
  switch (form) {
    case 'bearer':
      return { headers: { authorization: `Bearer ${caller.credential}` }, query: {} };
    case 'system-token':
      return {
        headers: { authorization: caller.credential, 'new-api-user': caller.userId ?? '' },
        query: {},
      };
    case 'api-key-header':
      return { headers: { 'api-key': caller.credential }, query: {} };
    case 'key-query':
      return { headers: {}, query: { key: caller.credential } };
    default:
      return form satisfies never;
  }
}

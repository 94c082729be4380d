import type { TraceContext } from '../lib/trace-context.ts';

/** Who calls: the credential as it arrived, and what else decides whose records are seen. Lives as long as the operation. */
export interface Caller {
  /** The trace that its operation belongs to; told to the gateway. */
  readonly trace?: TraceContext | undefined;
  /** Keyed hash of credential, user id and end user; the only one of these that is stored. */
  readonly owner: string;
  /** The bare credential, without `Bearer`. */
  readonly credential: string;
  /** `new-api-user`: wanted by access-token creation. */
  readonly userId: string | undefined;
  /** Headers that pass through to the gateway's chat endpoint. */
  readonly forwarded: Readonly<Record<string, string>>;
}

/** How an endpoint wants the credential (the gateway's document, "Authentication"). */
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

import { RequestError } from '../../errors.ts';
import { isRecord } from '../../lib/json.ts';
import type { AllowedUrls } from './allowed-urls.ts';

/** What a router asks for in `extensions.subscription`. */
export interface CallbackRequest {
  readonly url: string;
  readonly subscriptionId: string;
  /** The secret that proves to the router that a post comes from the subgraph. In no log. */
  readonly verifier: string;
  /** The router ends the subscription if it gets no post for this long. 0: it does not. */
  readonly heartbeatMs: number;
}

/** The request's own interval if it names none. */
const defaultHeartbeatMs = 5000;
const maxChars = 2000;
const maxHeartbeatMs = 86_400_000;
/** A client that chooses less would make the server post all the time. */
const minHeartbeatMs = 500;

/**
 * Reads a request of the callback protocol
 * (https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/callback-protocol). Undefined if it is not one.
 * @throws RequestError BAD_REQUEST if it is unusable, FORBIDDEN if its address is not allowed
 */
export function readCallbackRequest(
  accept: string | undefined,
  extensions: unknown,
  allowed: AllowedUrls,
): CallbackRequest | undefined {
  const asked = isRecord(extensions) ? extensions['subscription'] : undefined;
  if (!acceptsCallbacks(accept) || !isRecord(asked)) return undefined;
  const url = URL.parse(textOf(asked, 'callbackUrl'));
  if (!url || !allowed.has(url))
    throw new RequestError(
      'FORBIDDEN',
      'The callbackUrl is not one that this server may post to. Its operator lists them in CALLBACK_URLS.',
      { retry: 'FIX_INPUT' },
    );
  return {
    url: url.href,
    subscriptionId: textOf(asked, 'subscriptionId'),
    verifier: textOf(asked, 'verifier'),
    heartbeatMs: heartbeatOf(asked['heartbeatIntervalMs']),
  };
}

function acceptsCallbacks(accept = ''): boolean {
  return accept
    .toLowerCase()
    .split(',')
    .some((range) => /^application\/json;(.*;)?callbackspec="?1\.0"?(;|$)/.test(range.replaceAll(/\s/g, '')));
}

function textOf(asked: Readonly<Record<string, unknown>>, name: string): string {
  const value = asked[name];
  if (typeof value === 'string' && value !== '' && value.length <= maxChars) return value;
  throw new RequestError(
    'BAD_REQUEST',
    `extensions.subscription.${name} must be text of 1 to ${maxChars} characters.`,
  );
}

function heartbeatOf(value: unknown = defaultHeartbeatMs): number {
  const isInRange = (ms: number): boolean => ms === 0 || (ms >= minHeartbeatMs && ms <= maxHeartbeatMs);
  if (typeof value === 'number' && Number.isInteger(value) && isInRange(value)) return value;
  throw new RequestError(
    'BAD_REQUEST',
    `extensions.subscription.heartbeatIntervalMs must be 0, or a whole number from ${minHeartbeatMs} to ${maxHeartbeatMs}.`,
  );
}

import type { HttpReply } from './http-client.ts';

/** Statuses of a proxy that has waited too long for the gateway, or of a gateway that has waited for its upstream. */
export function isTimeout(status: number): boolean {
  return status === 504 || status === 524;
}

/**
 * Statuses of a gateway that crashed while it worked on the request, or of a proxy whose connection to the gateway broke after
 * it forwarded the request. Without a JSON body from the gateway, the outcome is unknown.
 */
export function isOutcomeUnknown(status: number): boolean {
  return [408, 499, 500, 502].includes(status) || (status >= 520 && status <= 527);
}

/**
 * Whether a body that is no JSON document may be only the beginning of one. A body without a length ends with its connection,
 * so that HTTP does not tell its end from a cut. A document that is complete ends by itself.
 */
export function mayBeCut(reply: HttpReply, text: string): boolean {
  if (reply.status === 204 || !/^\s*(?:[[{]|$)/.test(text)) return false;
  return reply.header('content-length') === undefined && reply.header('transfer-encoding') === undefined;
}

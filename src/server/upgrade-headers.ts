import type { IncomingHttpHeaders } from 'node:http';
import { identityHeaders } from './identity.ts';

const names = [...identityHeaders, 'host', 'x-request-id', 'traceparent', 'tracestate'];

/** The headers of an upgrade request that the operations of its socket read. The socket holds them, not the request. */
export function pickUpgradeHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const picked: IncomingHttpHeaders = {};
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

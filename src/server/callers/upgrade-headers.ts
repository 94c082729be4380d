import type { IncomingHttpHeaders } from 'node:http';
import { clientHeaders } from './client-name.ts';
import { identityHeaders } from './identity.ts';

const names = [...identityHeaders, ...clientHeaders, 'host', 'x-request-id', 'traceparent', 'tracestate'];

/** The headers of an upgrade request that the operations of its socket read. The socket holds them, not the request. */
export function pickUpgradeHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const picked: IncomingHttpHeaders = {};
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

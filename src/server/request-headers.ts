import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { identityHeaders } from './identity.ts';

/**
 * The headers of a request. An identity header that occurs twice is a list of its values: Node joins them with a comma, which
 * would name another caller.
 */
export function readHeaders(
  request: Pick<IncomingMessage, 'headers' | 'headersDistinct'>,
): IncomingHttpHeaders {
  const { headers } = request;
  const repeated = identityHeaders.filter(
    // Counting is slow, and joined values contain a comma.
    (name) => String(headers[name] ?? '').includes(',') && (request.headersDistinct[name]?.length ?? 0) > 1,
  );
  if (repeated.length === 0) return headers;
  return { ...headers, ...Object.fromEntries(repeated.map((name) => [name, request.headersDistinct[name]])) };
}

export function transportOf({ headers }: IncomingMessage): 'http' | 'sse' {
  return headers.accept?.includes('text/event-stream') ? 'sse' : 'http';
}

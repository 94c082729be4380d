import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { identityHeaders } from './identity.ts';

/**
 * The headers of a request. An identity header that occurs twice is a list of its values: Node joins them with a comma, which
 * would name another caller.
 */
export function readHeaders(
  request: Pick<IncomingMessage, 'headers' | 'headersDistinct' | 'rawHeaders'>,
): IncomingHttpHeaders {
  const { headers } = request;
  const repeated = identityHeaders.filter(
    // Node joins values with a comma, but drops all but the first `Authorization`. `headersDistinct` is slow.
    (name) =>
      name === 'authorization'
        ? countIn(request.rawHeaders, name) > 1
        : String(headers[name] ?? '').includes(',') && (request.headersDistinct[name]?.length ?? 0) > 1,
  );
  if (repeated.length === 0) return headers;
  return { ...headers, ...Object.fromEntries(repeated.map((name) => [name, request.headersDistinct[name]])) };
}

/** @param rawHeaders names and values, alternating */
function countIn(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === name.length && rawHeaders[index]?.toLowerCase() === name) count += 1;
  return count;
}

/** Whether a request names its host as RFC 9112, section 3.2, requires. Node checks neither repetitions nor upgrade requests. */
export function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = countIn(rawHeaders, 'host');
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

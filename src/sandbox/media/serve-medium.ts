import { createHash } from 'node:crypto';
import { notFound, Refusal } from '../http/errors.ts';
import type { Handler } from '../http/routes.ts';

/** `GET /assets/media/{file}`: the addresses in results. Needs no credential. */
export const serveMedium: Handler = async (exchange, { media }) => {
  const file = exchange.req.param('file') ?? '';
  const medium = media.find(file);
  if (!medium) throw notFound(`${file}: no such file`);
  if (medium.msLeft === 0) {
    const [code, message] = ['url_expired', `${file}: this address has expired`];
    throw new Refusal({ status: 403, code, type: 'invalid_request_error', message });
  }
  const bytes = await medium.read();
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    'cache-control': `public, max-age=${Math.min(86_400, Math.floor(medium.msLeft / 1000))}, immutable`,
    etag,
  };
  if (exchange.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers });

  const [total, ifRange] = [bytes.length, exchange.req.header('if-range') ?? etag];
  const range = ifRange === etag ? parseRange(exchange.req.header('range'), total) : undefined;
  const [first, last] = range ?? [0, total - 1];
  const isSatisfiable = first <= last;
  return new Response(isSatisfiable ? bytes.subarray(first, last + 1) : null, {
    status: range ? (isSatisfiable ? 206 : 416) : 200,
    headers: {
      ...headers,
      'content-type': medium.contentType,
      'x-content-type-options': 'nosniff',
      ...(isSatisfiable && { 'content-length': String(last - first + 1) }),
      ...(range && { 'content-range': `bytes ${isSatisfiable ? `${first}-${last}` : '*'}/${total}` }),
    },
  });
};

/**
 * One range of bytes (RFC 9110, section 14); empty if it cannot be satisfied. Undefined if the whole file is to be
 * sent, as for several ranges.
 */
function parseRange(
  header: string | undefined,
  length: number,
): readonly [first: number, last: number] | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (from === '') return to === '' ? undefined : [Math.max(0, length - Number(to)), length - 1];
  if (to !== '' && Number(to) < Number(from)) return undefined;
  return [Number(from), to === '' ? length - 1 : Math.min(Number(to), length - 1)];
}

import { createHash } from 'node:crypto';
import { Refusal } from '../http/errors.ts';
import type { Handler } from '../http/routes.ts';

/** `GET /assets/media/{file}`: what addresses in results point to; like any public file it needs no credential. */
export const serveMedium: Handler = async (exchange, { media }) => {
  const file = exchange.req.param('file') ?? '';
  const medium = media.find(file);
  if (!medium) {
    throw new Refusal({
      status: 404,
      code: 'not_found',
      type: 'invalid_request_error',
      message: `${file}: no such file`,
    });
  }
  if (medium.msLeft === 0) {
    throw new Refusal({
      status: 403,
      code: 'url_expired',
      type: 'invalid_request_error',
      message: `${file}: this address has expired`,
    });
  }
  const bytes = await medium.read();
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const headers: Record<string, string> = {
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    'cache-control': `public, max-age=${Math.min(86_400, Math.floor(medium.msLeft / 1000))}, immutable`,
    etag,
  };
  if (exchange.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers });
  headers['content-type'] = medium.contentType;
  headers['x-content-type-options'] = 'nosniff';

  const ifRange = exchange.req.header('if-range');
  const isRangeValid = ifRange === undefined || ifRange === etag;
  const range = isRangeValid ? parseRange(exchange.req.header('range'), bytes.length) : undefined;
  if (range === 'unsatisfiable') {
    const total = `bytes */${bytes.length}`;
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': total } });
  }
  if (!range) {
    headers['content-length'] = String(bytes.length);
    return new Response(bytes, { status: 200, headers });
  }
  const { first, last } = range;
  headers['content-length'] = String(last - first + 1);
  headers['content-range'] = `bytes ${first}-${last}/${bytes.length}`;
  return new Response(bytes.subarray(first, last + 1), { status: 206, headers });
};

/** One range of bytes (RFC 9110, section 14); undefined where the whole is to be sent, as for several ranges. */
function parseRange(
  header: string | undefined,
  length: number,
): { readonly first: number; readonly last: number } | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  const [, from = '', to = ''] = match ?? [];
  if (!match || (from === '' && to === '')) return undefined;
  if (from === '') {
    const count = Math.min(Number(to), length);
    return count === 0 ? 'unsatisfiable' : { first: length - count, last: length - 1 };
  }
  const first = Number(from);
  const last = to === '' ? length - 1 : Math.min(Number(to), length - 1);
  if (to !== '' && Number(to) < first) return undefined;
  return first >= length ? 'unsatisfiable' : { first, last };
}

import type { RouteOptions } from './chat-route.ts';
import { refuse } from './refuse.ts';

export interface TokenRouteOptions extends RouteOptions {
  /** `AUTH_JWT_SECRET` of the Gengraph server. */
  readonly secret: string;
  /** `AUTH_ISSUER` of the Gengraph server. */
  readonly issuer: string;
  /** `AUTH_AUDIENCE` of the Gengraph server, if it has one. */
  readonly audience?: string | undefined;
  /** @default 300 */
  readonly lifeSeconds?: number | undefined;
  /** More claims, such as `limits` and `scope`. */
  readonly claimsOf?: ((user: string, request: Request) => Claims | Promise<Claims>) | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * A route of your own server that gives the page a short-lived token of its user, for a Gengraph server with `AUTH=jwt`. The page
 * passes it as `credential` and talks to Gengraph itself, over a WebSocket.
 */
export function tokenRoute(options: TokenRouteOptions): (request: Request) => Promise<Response> {
  const { secret, issuer, audience, userOf, claimsOf, lifeSeconds = 300 } = options;
  return async (request) => {
    // Pages of other origins cannot read the answer, so it needs no other protection.
    if (request.method !== 'POST') return refuse(405, 'BAD_REQUEST', 'Send a POST request.');
    const user = await userOf(request);
    if (typeof user !== 'string' || user.trim() === '')
      return refuse(401, 'UNAUTHENTICATED', 'Sign in first.');
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      ...(await claimsOf?.(user, request)),
      iss: issuer,
      ...(audience !== undefined && { aud: audience }),
      sub: user,
      iat: now,
      exp: now + lifeSeconds,
    };
    return new Response(await sign(claims, secret), {
      headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' },
    });
  };
}

/** A JSON Web Token with HS256 (RFC 7519). */
async function sign(claims: Claims, secret: string): Promise<string> {
  const bytes = new TextEncoder();
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => encode(bytes.encode(JSON.stringify(part))))
    .join('.');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['sign']);
  return `${text}.${encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(text))))}`;
}

/** Base64 for URLs (RFC 4648, section 5). */
function encode(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

import { createServer } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { sendJson } from './fake-gateway.ts';
import { serve } from './serve.ts';

export const issuer = 'https://auth.example';
export const audience = 'gengraph';
export const secret = 'a-secret-of-at-least-32-bytes-for-tests';

/** Settings of a server whose callers sign in with tokens of a shared secret. */
export const signInBySecret = {
  AUTH: 'jwt',
  AUTH_JWT_SECRET: secret,
  AUTH_ISSUER: issuer,
  AUTH_AUDIENCE: audience,
  GATEWAY_API_KEY: 'sk-sandbox',
  GATEWAY_SYSTEM_TOKEN: 'sandbox-system',
  GATEWAY_SYSTEM_USER: '1',
} as const;

/** The same with the public keys at an address. */
export function signInByKeySet(url: string): Readonly<Record<string, string>> {
  const { AUTH_JWT_SECRET: _secret, ...settings } = signInBySecret;
  return { ...settings, AUTH_JWKS_URL: url };
}

export interface MintOptions {
  /** Members that differ from a valid token. Undefined removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  /** @default the shared secret */
  readonly key?: CryptoKey | Uint8Array;
  /** Milliseconds since the epoch. @default Date.now() */
  readonly now?: number;
  /** @default 600 */
  readonly lifeSeconds?: number;
}

/** A signed token of a user. */
export async function mint(user: string, options: MintOptions = {}): Promise<string> {
  const {
    claims = {},
    header = {},
    key = Buffer.from(secret),
    now = Date.now(),
    lifeSeconds = 600,
  } = options;
  const issuedAt = Math.floor(now / 1000);
  const payload = {
    iss: issuer,
    aud: audience,
    sub: user,
    iat: issuedAt,
    exp: issuedAt + lifeSeconds,
    ...claims,
  } as JWTPayload;
  return new SignJWT(payload).setProtectedHeader({ alg: 'HS256', ...header }).sign(key);
}

export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** A server with the public keys of an issuer. Closed when the test ends. */
export interface KeySetServer {
  readonly url: string;
  readonly reads: number;
  /** Replaces the keys. Undefined: the server is down. */
  serve(keys: readonly JWK[] | undefined): void;
}

export async function startKeySet(first: readonly JWK[] | undefined): Promise<KeySetServer> {
  let keys = first;
  let reads = 0;
  const server = createServer((request, response) => {
    reads += 1;
    if (!keys) request.socket.destroy();
    else sendJson(response, { keys });
  });
  const { url } = await serve(server);
  return {
    url: `${url}/keys`,
    get reads() {
      return reads;
    },
    serve: (next) => void (keys = next),
  };
}

/** A key pair of the issuer. `mint` with `key` and `header`. */
export async function createSigner(kid: string, alg = 'ES256') {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  return {
    key: privateKey,
    header: { alg, kid },
    jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
  };
}

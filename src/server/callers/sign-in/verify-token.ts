import { hash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, type JWTVerifyOptions } from 'jose';
import { LRUCache } from 'lru-cache';
import { acceptedAlgorithms } from '../../../auth-settings.ts';
import { decodeLimitClaims } from '../../../caller-limits.ts';
import type { Config } from '../../../config.ts';
import { ExpectedError, RequestError } from '../../../errors.ts';
import type { ScopeNames, VerifiedToken } from '../../../gateway/caller.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { SharedWait } from '../../../lib/fairness/shared-waits.ts';
import type { Log } from '../../../lib/log.ts';
import { maxMilliseconds } from '../../../lib/time.ts';
import { limitEntries } from '../../../lib/cache-limits.ts';
import { createKeySet, type KeySet, type KeySetOptions } from './key-set.ts';
import { TokenExpiredError } from './token-expired.ts';

export interface TokenVerifier {
  /**
   * `wait`: for keys, or for a check of the same token that another operation began.
   * @throws RequestError UNAUTHENTICATED for a token that is not valid, AUTH_UNAVAILABLE if it cannot be checked now
   */
  verify(token: string, wait: SharedWait): Promise<VerifiedToken>;
  /** Whether tokens can be checked now. If the keys are old, reads them again in the background. */
  canVerify(): boolean;
}

export interface TokenVerifierOptions {
  readonly config: Config;
  /** The kinds that creates make. Limits may name them. */
  readonly kinds: ReadonlySet<string>;
  readonly clock: Clock;
  readonly log: Log;
}

const maxTokens = 10_000;
const maxTokenLength = 16_384;
/** A token is verified again after this time, because its issuer may have removed the key. */
const maxCachedMs = 600_000;

interface CachedToken {
  readonly token: VerifiedToken;
  /** By the monotonic clock: setting the system clock back must not keep a token whose key was removed. */
  readonly verifiedAt: number;
}

export function createTokenVerifier({ config, kinds, clock, log }: TokenVerifierOptions): TokenVerifier {
  const {
    AUTH_JWKS_URL: url,
    AUTH_JWT_SECRET: secret = '',
    AUTH_CLOCK_TOLERANCE_SECONDS: tolerance,
  } = config;
  const algorithms = acceptedAlgorithms(config);
  const toleranceMs = tolerance * 1000;
  const keySet =
    url === undefined
      ? undefined
      : createKeySet({ url, algorithms, clock, toleranceMs, ...createReports(log) });
  const decode = createDecoder({ config, kinds, clock });
  const cache = new LRUCache<string, CachedToken | Promise<CachedToken>>(limitEntries(maxTokens));

  const verifyNow = async (text: string, wait: SharedWait): Promise<CachedToken> => {
    if (text.length > maxTokenLength) throw refused('it is too long');
    const verifiedAt = clock.elapsed();
    const options: JWTVerifyOptions = {
      algorithms: [...algorithms],
      issuer: config.AUTH_ISSUER ?? '',
      requiredClaims: ['exp', config.AUTH_OWNER_CLAIM],
      clockTolerance: tolerance,
      currentDate: new Date(clock.now()),
      ...(config.AUTH_AUDIENCE && { audience: [...config.AUTH_AUDIENCE] }),
    };
    try {
      const payload = keySet
        ? await verifyByKeySet(text, { keys: keySet, wait, options })
        : (await jwtVerify(text, Buffer.from(secret, 'utf8'), options)).payload;
      return { token: decode(payload), verifiedAt };
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new TokenExpiredError();
      if (error instanceof errors.JOSEError) throw refused(explain(error));
      throw error;
    }
  };

  return {
    async verify(text, wait) {
      const key = hash('sha256', text, 'base64url');
      const cached = cache.get(key);
      if (cached) {
        const { token, verifiedAt } = cached instanceof Promise ? await wait(() => cached) : cached;
        const isRecent = clock.elapsed() - verifiedAt < maxCachedMs;
        if (isRecent && clock.now() < token.expiresAt) return token;
      }
      const checking = verifyNow(text, wait);
      cache.set(key, checking);
      try {
        const checked = await checking;
        if (cache.peek(key) === checking) cache.set(key, checked);
        return checked.token;
      } catch (error) {
        if (cache.peek(key) === checking) cache.delete(key);
        throw error;
      }
    },
    canVerify: () => keySet?.isReadable() ?? true,
  };
}

interface KeySetCheck {
  readonly keys: KeySet;
  readonly wait: SharedWait;
  readonly options: JWTVerifyOptions;
}

async function verifyByKeySet(text: string, check: KeySetCheck): Promise<JWTPayload> {
  try {
    return await verifyByKnownKeys(text, check);
  } catch (error) {
    // Keys without ids of their own are replaced unseen.
    if (!(error instanceof errors.JWSSignatureVerificationFailed && (await check.keys.renew(check.wait))))
      throw error;
    return verifyByKnownKeys(text, check);
  }
}

async function verifyByKnownKeys(text: string, { keys, wait, options }: KeySetCheck): Promise<JWTPayload> {
  try {
    return (await jwtVerify(text, keys.finder(wait), options)).payload;
  } catch (error) {
    if (isKeyError(error)) throw new errors.JWSSignatureVerificationFailed(undefined, { cause: error });
    // A token without key id, and several keys of its kind.
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return (await jwtVerify(text, key, options)).payload;
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed || isKeyError(failure))) throw failure;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/** Whether a key does not fit its algorithm. The library reports this by errors of JavaScript and of Web Crypto. */
function isKeyError(error: unknown): boolean {
  return !(error instanceof errors.JOSEError || error instanceof ExpectedError);
}

/** Converts the claims of a verified token. */
function createDecoder({
  config,
  kinds,
  clock,
}: Omit<TokenVerifierOptions, 'log'>): (payload: JWTPayload) => VerifiedToken {
  const toleranceMs = config.AUTH_CLOCK_TOLERANCE_SECONDS * 1000;
  const scopeNames: ScopeNames = {
    createAccessToken: config.AUTH_CREATE_TOKEN_SCOPE,
    accessTokens: config.AUTH_ACCESS_TOKENS_SCOPE,
    adoptTask: config.AUTH_ADOPT_TASK_SCOPE,
  };
  return (payload) => {
    const { iss: issuer = '', exp = 0, iat = 0 } = payload;
    if (iat * 1000 > clock.now() + toleranceMs) throw refused('it was issued in the future');
    const subject = payload[config.AUTH_OWNER_CLAIM];
    if ((typeof subject !== 'string' && typeof subject !== 'number') || subject === '')
      throw refused(`its claim "${config.AUTH_OWNER_CLAIM}" does not name a user`);
    // Users whose numbers differ only beyond the precision would share their records.
    if (typeof subject === 'number' && !Number.isSafeInteger(subject))
      throw refused(
        `its claim "${config.AUTH_OWNER_CLAIM}" is a number that is not exact. The issuer must send it as a string`,
      );
    const limits = decodeLimitClaims(payload['limits'], kinds);
    if (typeof limits === 'string') throw refused(`its claim "limits" is not valid: ${limits}`);
    return {
      issuer,
      subject: String(subject),
      // Some issuers write fractions of seconds. The records have whole milliseconds, in 64 bits.
      expiresAt: Math.min(Math.floor(exp * 1000) + toleranceMs, maxMilliseconds),
      scopes: new Set([...toScopes(payload['scope']), ...toScopes(payload['scp'])]),
      scopeNames,
      limits,
    };
  };
}

/** Issuers write a list, or names separated by spaces. */
function toScopes(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ').filter((name) => name !== '');
  return Array.isArray(claim) ? claim.filter((name) => typeof name === 'string') : [];
}

function refused(reason: string): RequestError {
  return new RequestError(
    'UNAUTHENTICATED',
    `The token is refused: ${reason}. Nothing was sent to the gateway.`,
  );
}

function explain(error: errors.JOSEError): string {
  if (error instanceof errors.JWTClaimValidationFailed) return explainClaim(error);
  if (error instanceof errors.JOSEAlgNotAllowed) return 'this server does not accept its algorithm';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is not valid';
  if (error instanceof errors.JWKSNoMatchingKey) return 'the issuer has no such key';
  return 'it is malformed';
}

function explainClaim({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (reason === 'missing') return `it lacks the claim "${claim}"`;
  if (claim === 'iss') return 'it has another issuer';
  if (claim === 'aud') return 'it is for another audience';
  return claim === 'nbf' && reason === 'check_failed'
    ? 'it is not valid yet'
    : `its claim "${claim}" is not valid`;
}

function createReports(log: Log): Pick<KeySetOptions, 'onFailed' | 'onUnusable'> {
  return {
    onFailed: (err) =>
      log.warn(
        { err },
        'could not read the key set at AUTH_JWKS_URL; tokens are refused until it can be read',
      ),
    onUnusable: (kids) =>
      log.warn(
        { kids },
        'keys of the key set at AUTH_JWKS_URL are ignored because they cannot be used: publish valid public keys, RSA keys with at least 2048 bits',
      ),
  };
}

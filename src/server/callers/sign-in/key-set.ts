import { errors, type FlattenedJWSInput, type JWTVerifyGetKey } from 'jose';
import { RequestError } from '../../../errors.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { SharedWait } from '../../../lib/fairness/shared-waits.ts';
import { isRecord } from '../../../lib/json.ts';
import { selectUsableKeys } from './usable-keys.ts';

/** The public keys of an issuer, read from its address. */
export interface KeySet {
  /**
   * Finds the key of a token. `wait`: for a read of the set.
   * @throws RequestError AUTH_UNAVAILABLE if the keys cannot be read
   */
  finder(wait: SharedWait): JWTVerifyGetKey;
  /**
   * Reads the set again for a token whose signature does not fit. False if that was done a moment ago.
   * @throws RequestError AUTH_UNAVAILABLE if the keys cannot be read
   */
  renew(wait: SharedWait): Promise<boolean>;
  /** Whether keys can be found now. Reads the set again in the background if it is old. */
  isReadable(): boolean;
}

export interface KeySetOptions {
  readonly url: string;
  /** A set without a usable key for one of them counts as a failed read. */
  readonly algorithms: readonly string[];
  readonly clock: Clock;
  /** Difference between the clocks of issuer and server. */
  readonly toleranceMs: number;
  readonly onFailed: (error: unknown) => void;
  /** Receives the ids of the keys that cannot be used, again only if they change. */
  readonly onUnusable: (ids: readonly string[]) => void;
}

/** The set is read again after this time. A key that the issuer removed is refused then. */
const maxAgeMs = 600_000;
/** A token with an unknown key causes a read at most this often. */
const unknownKeyMs = 10_000;
/** No read follows a failed one within this time. */
const retryMs = 1000;
/** For the whole reply. */
const timeoutMs = 5000;
const maxSetBytes = 1_048_576;

type Keys = JWTVerifyGetKey;

export function createKeySet(options: KeySetOptions): KeySet {
  const { url, algorithms, clock, toleranceMs, onFailed, onUnusable } = options;
  let keys: Keys | undefined;
  let readAt = 0;
  /** By the wall clock: what the issuer did later is not in the set. */
  let askedAt = 0;
  let failedAt = -Infinity;
  let isFailing = false;
  let reading: Promise<Keys> | undefined;
  let reported = '[]';

  const report = (unusable: readonly string[]): void => {
    const ids = JSON.stringify(unusable);
    if (ids !== reported && unusable.length > 0) onUnusable(unusable);
    reported = ids;
  };
  const read = async (): Promise<Keys> => {
    const askingAt = clock.now();
    try {
      const { find, unusable } = await selectUsableKeys(JSON.parse(await fetchText(url)), algorithms);
      report(unusable);
      if (!find) throw new Error(`the key set has no usable key for ${algorithms.join(', ')}`);
      keys = find;
      readAt = clock.elapsed();
      askedAt = askingAt;
      isFailing = false;
      return keys;
    } catch (cause) {
      failedAt = clock.elapsed();
      isFailing = true;
      onFailed(cause);
      throw unavailable();
    } finally {
      reading = undefined;
    }
  };
  const readOnce = async (wait: SharedWait): Promise<Keys> => {
    if (!reading && clock.elapsed() - failedAt < retryMs) throw unavailable();
    return wait(() => (reading ??= read()));
  };
  const isRecent = (): boolean => clock.elapsed() - readAt < unknownKeyMs;
  const isFresh = (): boolean => keys !== undefined && clock.elapsed() - readAt < maxAgeMs;

  return {
    finder: (wait) => async (header, token) => {
      const known = keys && isFresh() ? keys : await readOnce(wait);
      try {
        return await known(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      }
      // The issuer may have a new key.
      const latest = isRecent() ? known : await readOnce(wait);
      try {
        return await latest(header, token);
      } catch (error) {
        // Also of a read that began before the token was issued.
        const isNew =
          error instanceof errors.JWKSNoMatchingKey && claimsIssueAfter(askedAt - toleranceMs, token);
        throw isNew ? unavailable(newKey) : error;
      }
    },
    async renew(wait) {
      if (isRecent()) return false;
      await readOnce(wait);
      return true;
    },
    isReadable() {
      if (isFresh()) return true;
      readOnce((run) => run()).catch(() => {});
      return keys !== undefined && !isFailing;
    },
  };
}

/** Whether a token claims to be newer than the set, so that its key may be newer too. Its claims are not verified. */
function claimsIssueAfter(time: number, { payload }: FlattenedJWSInput): boolean {
  try {
    const bytes = typeof payload === 'string' ? Buffer.from(payload, 'base64url') : Buffer.from(payload);
    const claims: unknown = JSON.parse(bytes.toString());
    return isRecord(claims) && typeof claims['iat'] === 'number' && claims['iat'] >= Math.floor(time / 1000);
  } catch {
    return false;
  }
}

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    // A redirect could lead to a server that the operator did not name.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the key set answered ${response.status}`);
  }
  return readText(response);
}

/** Reads no further than the limit, also of a compressed body. */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxSetBytes) throw new Error(`the key set is larger than ${maxSetBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

const unreadable = 'Tokens cannot be checked now: the key set of their issuer cannot be read';
const newKey =
  'The token cannot be checked now: its key is not in the key set of the issuer, which was read before the token was issued';

function unavailable(reason = unreadable): RequestError {
  return new RequestError('AUTH_UNAVAILABLE', `${reason}. Nothing was sent. Retry in a moment.`);
}

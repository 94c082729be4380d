import { createLocalJWKSet, errors, type JWK, type JWTVerifyGetKey } from 'jose';
import { asRecord, isList, isRecord } from '../../../lib/json.ts';

export interface UsableKeys {
  /** Undefined if no key can verify tokens. */
  readonly find: JWTVerifyGetKey | undefined;
  /** The ids of the keys that are for the accepted algorithms but cannot be used. */
  readonly unusable: readonly string[];
}

/** RFC 7518, section 3.3. */
const minRsaBits = 2048;
/** Each key is tried with each algorithm. */
const maxKeys = 500;

/**
 * Keeps the keys that can verify tokens, so that one bad key does not affect the others.
 * @throws Error if the value is not a key set
 */
export async function selectUsableKeys(set: unknown, algorithms: readonly string[]): Promise<UsableKeys> {
  if (!isRecord(set) || !isList(set['keys'])) throw new Error('the reply is not a key set');
  if (set['keys'].length > maxKeys) throw new Error(`the key set has more than ${maxKeys} keys`);
  const keys: JWK[] = [];
  const unusable: string[] = [];
  for (const key of set['keys']) {
    const jwk = asRecord(key);
    const use = jwk ? await testKey(jwk, algorithms) : 'unusable';
    if (jwk && use === 'usable') keys.push(jwk);
    if (use === 'unusable') unusable.push(idOf(key));
  }
  return { find: keys.length > 0 ? createLocalJWKSet({ keys }) : undefined, unusable };
}

/** `other`: the key is for encryption, or for an algorithm that is not accepted. */
async function testKey(key: JWK, algorithms: readonly string[]): Promise<'usable' | 'unusable' | 'other'> {
  const find = createLocalJWKSet({ keys: [key] });
  let use: 'unusable' | 'other' = 'other';
  for (const alg of algorithms)
    try {
      const { algorithm } = await find({ alg }, { payload: '', signature: '' });
      const bits = 'modulusLength' in algorithm ? Number(algorithm.modulusLength) : Infinity;
      if (bits >= minRsaBits) return 'usable';
      use = 'unusable';
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) use = 'unusable';
    }
  return use;
}

function idOf(key: unknown): string {
  return isRecord(key) && typeof key['kid'] === 'string' ? key['kid'].slice(0, 200) : 'without kid';
}

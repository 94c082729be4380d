import { isRecord } from '../../lib/json.ts';

/**
 * Whether a credential is a JSON Web Token, valid or not: parts separated by dots, the first of them a header with `alg`.
 * Recognizes more than the standard does, such as tokens without a signature, because a token must never be taken for a key
 * and be sent to the gateway.
 */
export function looksLikeToken(credential: string): boolean {
  const end = credential.indexOf('.');
  if (end <= 0) return false;
  const text = Buffer.from(credential.slice(0, end), 'base64url').toString('utf8');
  if (!text.includes('{')) return false;
  try {
    const header: unknown = JSON.parse(text);
    return isRecord(header) && 'alg' in header;
  } catch {
    return false;
  }
}

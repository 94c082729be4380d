/**
 * Whether a credential is or contains a JSON Web Token, valid or not: text in parts, of which one is a JSON object in base64.
 * Recognizes far more than the standard does, such as tokens after a prefix or without `alg`, because a token must never be
 * taken for a key and be sent to the gateway.
 */
export function looksLikeToken(credential: string): boolean {
  // A key of one part needs no decoding. `=` at its end is padding, and elsewhere it separates parts.
  if (!/[^\w+/=-]|=[^=]/.test(credential)) return false;
  return credential.split(/[^\w+/-]+/).some(hasJsonObject);
}

/** The beginning of an object with members. */
const jsonObject = /\{\s*"(?:[^"\\]|\\.)*"\s*:/s;

/** Base64 has four alignments, and text before the object shifts it. */
function hasJsonObject(text: string): boolean {
  return [0, 1, 2, 3].some((start) =>
    jsonObject.test(Buffer.from(text.slice(start), 'base64url').toString('latin1')),
  );
}

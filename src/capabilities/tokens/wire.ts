import { isSuccessCode, saysSuccess } from '../../gateway/decode-error.ts';
import { Redactor } from '../../gateway/redact.ts';
import { asArray, asRecord, asString, type Json } from '../../lib/json.ts';

/** The facts about the new token in a reply. */
export interface TokenReply {
  /** The secret, if the reply has one in a recognizable place. */
  readonly key: string | undefined;
  /** The reply without that secret. */
  readonly raw: Json;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads the reply to a token's creation. The gateway's document does not show its shape. Undefined when it neither
 * confirms the token of this name nor has a secret.
 */
export function decodeTokenReply(reply: Json, name: string): TokenReply | undefined {
  const body = asRecord(reply) ?? {};
  const holders = findHolders(body);
  const found = [findSecretAsData(body), ...holders.map(findKey)].filter((secret) => secret !== undefined);
  const key = findSecretInText(reply) ?? found.find((secret) => secret.startsWith('sk-')) ?? found[0];
  if (key !== undefined) return { key, raw: new Redactor(key).value(reply) };
  const isConfirmed = saysSuccess(body) || holders.some((holder) => holder['name'] === name);
  return isConfirmed ? { key, raw: reply } : undefined;
}

/** Whether a reply has a text that looks like a secret and is as long as one. */
export function hasSecret(reply: Json, name: string): boolean {
  const { key = '' } = decodeTokenReply(reply, name) ?? {};
  return key.length >= 16 && likelySecret.test(key);
}

const likelySecret = /^(sk-|(?=.*\d)(?=.*[a-z])[!-~]{16,}$)/i;

/** The objects that may describe the token, from the innermost one to the reply itself. */
function findHolders(body: Members): readonly Members[] {
  return [body['data'], body['result'], body].flatMap((value) => {
    const holder = asRecord(value) ?? asRecord(asArray(value)[0]);
    const inner = asRecord(holder?.['token']);
    return [inner, holder].filter((found) => found !== undefined);
  });
}

const keyNames = ['key', 'token', 'access_token', 'accessToken', 'api_key', 'apiKey', 'secret'];

function findKey(holder: Members): string | undefined {
  return keyNames.map((name) => asSecret(holder[name])).find((key) => key !== undefined);
}

/** The secret that `data` is. It can also be an id or a word, also in a language without spaces. */
function findSecretAsData({ data }: Members): string | undefined {
  return likelySecret.test(asString(data) ?? '') ? asSecret(data) : undefined;
}

/** The secret of a reply of plain text: the text itself, or the only word of prose that starts like a key. */
function findSecretInText(reply: Json): string | undefined {
  if (typeof reply !== 'string') return undefined;
  if (/^(?=.*\d)(?=.*[a-z])[\w.-]{16,}$/i.test(reply)) return asSecret(reply);
  // JSON that is no document was cut, perhaps within the secret.
  const keys = reply.match(/^[{["]/.test(reply) ? /\bsk-[\w-]{12,}(?=")/g : /\bsk-[\w-]{12,}/g) ?? [];
  return keys.length === 1 ? asSecret(keys[0]) : undefined;
}

/** Excludes prose, words for success, masked secrets (`sk-ab****yz`), and the caller's own redacted credential. */
function asSecret(value: unknown): string | undefined {
  const text = asString(value);
  const isSecret = text !== undefined && /^[^\s*•…]+$/.test(text) && !text.includes('[credential]');
  return isSecret && !isSuccessCode(text) ? text : undefined;
}

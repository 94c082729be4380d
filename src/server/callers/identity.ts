import type { IncomingHttpHeaders } from 'node:http';
import { RequestError } from '../../errors.ts';
import { isRecord } from '../../lib/json.ts';
import { isLongerThan } from '../../lib/text.ts';

/** The identity that a caller presents. The gateway has not verified it. */
export interface Identity {
  /** The bare credential, without `Bearer`. */
  readonly credential: string | undefined;
  readonly userId: string | undefined;
  readonly endUser: string | undefined;
}

export interface PresentedIdentity extends Identity {
  /** Headers to forward to the gateway, by lowercase name. */
  readonly forwarded: Readonly<Record<string, string>>;
}

export interface IdentitySources {
  /** The HTTP request, or the upgrade request of a WebSocket. A header that occurs twice is a list. */
  readonly headers: IncomingHttpHeaders;
  /** Later messages of the client: `connectionParams`, and the headers of an editor. Later ones override earlier ones. */
  readonly client?: readonly unknown[];
}

/** Headers forwarded to the gateway's chat endpoint (gateway documentation, endpoint 1). */
const forwardedNames = ['x-forwarded-hoapp-codest'] as const;

/** Names of the headers that `readIdentity` reads, in lowercase. */
export const identityHeaders: readonly string[] = [
  'authorization',
  'token',
  'new-api-user',
  'x-end-user',
  ...forwardedNames,
];

const maxEndUserLength = 500;

/** Longest header value that is forwarded. Node accepts no longer one over HTTP. */
export const maxHeaderLength = 16_384;

/**
 * Reads the identity of a caller. Client messages cannot replace the identity in the request, because a proxy may have set
 * it. `canClientOverride` allows it.
 * @throws RequestError for a member that cannot be used, or that contradicts the request
 */
export function readIdentity(
  { headers, client = [] }: IdentitySources,
  canClientOverride: boolean,
): PresentedIdentity {
  const request = readValues(decodeHeaders(headers));
  const later = client.map((source) => readSource(isRecord(source) ? source : {}));
  const forwarded = Object.assign({}, request.forwarded, ...later.map((source) => source.forwarded));
  const claimed = later.reduce<Identity>(overrideIdentity, canClientOverride ? request : noIdentity);
  if (canClientOverride) return { ...claimed, forwarded };
  for (const source of later) assertUnchanged(request, source);
  return { ...(request.credential === undefined ? fillIdentity(request, claimed) : request), forwarded };
}

const noIdentity: Identity = { credential: undefined, userId: undefined, endUser: undefined };

/** A source with another credential replaces the whole identity. Otherwise its members replace those of the same name. */
function overrideIdentity(before: Identity, source: Identity): Identity {
  const { credential } = source;
  const isOther = credential !== undefined && credential !== (before.credential ?? credential);
  return isOther ? source : fillIdentity(source, before);
}

function fillIdentity(identity: Identity, missing: Identity): Identity {
  return {
    credential: identity.credential ?? missing.credential,
    userId: identity.userId ?? missing.userId,
    endUser: identity.endUser ?? missing.endUser,
  };
}

/** A credential in the request fixes all members, also those that the request leaves out. */
function assertUnchanged(request: Identity, claimed: Identity): void {
  const isFixed = request.credential !== undefined;
  for (const [member, name] of identityNames) {
    const isPresent = isFixed || request[member] !== undefined;
    if (!isPresent || claimed[member] === undefined || claimed[member] === request[member]) continue;
    throw new RequestError(
      'BAD_REQUEST',
      `The upgrade request determines the caller. ${name} in connectionParams or in the operation differs from it: remove it there, or send it with the upgrade request.`,
    );
  }
}

const identityNames = [
  ['credential', 'Authorization'],
  ['userId', 'new-api-user'],
  ['endUser', 'X-End-User'],
] as const;

/** HTTP header values arrive as Latin-1. Values beyond ASCII are UTF-8, so that a name is the same on every transport. */
function decodeHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, unknown>> {
  for (const name of identityHeaders)
    if (Array.isArray(headers[name])) throw unusable(name, 'is present twice');
  const endUser = headers['x-end-user'];
  if (typeof endUser !== 'string' || !/[\u0080-\u00FF]/.test(endUser)) return headers;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(endUser, 'latin1'),
    );
    return { ...headers, 'x-end-user': text };
  } catch {
    throw unusable('X-End-User', 'is not UTF-8');
  }
}

function readSource(source: Readonly<Record<string, unknown>>): PresentedIdentity {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(source)) {
    const key = name.toLowerCase();
    if (!knownNames.has(key) || value === undefined || value === null) continue;
    if (values[key] !== undefined && values[key] !== value) throw unusable(name, 'is present twice');
    values[key] = value;
  }
  return readValues(values);
}

/** @param values by lowercase name */
function readValues(values: Readonly<Record<string, unknown>>): PresentedIdentity {
  const forwarded: Record<string, string> = {};
  for (const name of forwardedNames) {
    const value = headerValue(name, values[name]);
    if (value !== undefined) forwarded[name] = value;
  }
  const credential = bareCredential('Authorization', values['authorization']);
  const token = bareCredential('token', values['token']);
  if (credential !== undefined && token !== undefined && token !== credential)
    throw new RequestError(
      'BAD_REQUEST',
      'Authorization and token are two different credentials. Remove one of them.',
    );
  return {
    credential: credential ?? token,
    userId: headerValue('new-api-user', values['new-api-user']),
    endUser: endUserOf(values['x-end-user']),
    forwarded,
  };
}

const knownNames: ReadonlySet<string> = new Set(identityHeaders);

/**
 * `Bearer x`, `bearer x` and `x` are the same credential. Any other value with white space belongs to another scheme, such as
 * the `Basic …` of a reverse proxy, or contains a token. It is not a credential for the gateway and must not be forwarded.
 */
function bareCredential(name: string, value: unknown): string | undefined {
  const text = toText(value)?.trim();
  // The credential is forwarded as a header.
  if (text === undefined || !isHeaderValue(text)) return undefined;
  if (text.length > maxHeaderLength) throw tooLong(name, maxHeaderLength);
  const bare = text.replace(/^bearer(\s+|$)/i, '').trim();
  if (bare === '' || /\s/.test(bare)) return undefined;
  return bare;
}

/** A value that is forwarded as a header. */
function headerValue(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = toText(value)?.trim();
  if (text === undefined || !isHeaderValue(text)) throw unusable(name, 'is not a valid header value');
  if (text.length > maxHeaderLength) throw tooLong(name, maxHeaderLength);
  return text;
}

/** Any text without control characters. Dropping a bad value would merge this end user with others of the same key. */
function endUserOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const given = toText(value);
  const text = given === undefined ? undefined : withoutBlanks(given);
  if (text === undefined) throw unusable('X-End-User', 'is not text');
  if (text === '') throw unusable('X-End-User', 'is empty');
  if (/\p{Cc}/u.test(text)) throw unusable('X-End-User', 'contains a control character');
  if (!text.isWellFormed()) throw unusable('X-End-User', 'is not valid Unicode');
  if (isLongerThan(text, maxEndUserLength)) throw tooLong('X-End-User', maxEndUserLength);
  return text;
}

/** Without the tabs and spaces around it. A pattern for its end would take the square of the number of blanks within. */
function withoutBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return text.slice(0, end).replace(/^[\t ]+/, '');
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function isHeaderValue(text: string): boolean {
  return /^[\t\u0020-\u007E\u0080-\u00FF]+$/.test(text);
}

function tooLong(name: string, maxLength: number): RequestError {
  return unusable(name, `is longer than ${maxLength} characters`);
}

function unusable(name: string, problem: string): RequestError {
  return new RequestError('BAD_REQUEST', `${name} ${problem}.`);
}

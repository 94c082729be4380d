import { Refusal } from '../http/errors.ts';
import type { Exchange, Services } from '../http/routes.ts';
import type { Token } from './tokens.ts';

/** The credentials that work without having been made first. */
export const builtIn = { apiKey: 'sk-sandbox', systemToken: 'sandbox-system', userId: '1' } as const;

/**
 * The token of a request that carries `Authorization: Bearer <API key>`.
 * @param otherScheme a word that may stand for "Bearer"
 */
export function requireBearerKey(exchange: Exchange, services: Services, otherScheme?: 'Key'): Token {
  const header = exchange.req.header('authorization');
  if (header === undefined) {
    throw unauthorised(
      'missing_credential',
      'Authorization: the header "Authorization: Bearer <API key>" is missing',
    );
  }
  const [, scheme = '', key] = /^([a-z]+) (\S+)$/i.exec(header) ?? [];
  const isScheme = [otherScheme, 'Bearer'].some((known) => known?.toLowerCase() === scheme.toLowerCase());
  if (key === undefined || !isScheme) {
    throw unauthorised('invalid_credential_form', 'Authorization: must be "Bearer <API key>"');
  }
  return admit(exchange, services, { key, place: 'Authorization' });
}

/** The token of a request that carries `key=<API key>` in its query, or in the header that SDKs send in its place. */
export function requireQueryKey(exchange: Exchange, services: Services): Token {
  const key = exchange.req.query('key') ?? exchange.req.header('x-goog-api-key');
  if (key === undefined || key === '') {
    throw unauthorised('missing_credential', 'key: the query parameter "key=<API key>" is missing');
  }
  return admit(exchange, services, { key, place: 'key' });
}

/** The token of a request that carries its bare key in `API-KEY`, and none in `Authorization`. */
export function requireApiKeyHeader(exchange: Exchange, services: Services): Token {
  if (exchange.req.header('authorization') !== undefined) {
    throw unauthorised(
      'invalid_credential_form',
      'Authorization: the API key goes into the header API-KEY here, not into Authorization',
    );
  }
  const key = exchange.req.header('api-key');
  if (key === undefined || key === '') {
    throw unauthorised('missing_credential', 'API-KEY: the header "API-KEY: <API key>" is missing');
  }
  if (/\s/.test(key)) {
    throw unauthorised('invalid_credential_form', 'API-KEY: must be the bare API key, without "Bearer"');
  }
  return admit(exchange, services, { key, place: 'API-KEY' });
}

/** Refuses all but the system token, bare in `Authorization`, with its user in `new-api-user`. */
export function requireSystemToken(exchange: Exchange): void {
  const header = exchange.req.header('authorization');
  if (header === undefined) {
    throw unauthorised('missing_credential', 'Authorization: the system token is missing');
  }
  if (/^Bearer\b/i.test(header)) {
    throw unauthorised(
      'invalid_credential_form',
      'Authorization: must be the bare system token, without "Bearer"',
    );
  }
  if (header !== builtIn.systemToken) {
    throw unauthorised('invalid_system_token', 'Authorization: unknown system token');
  }
  const user = exchange.req.header('new-api-user');
  if (user === undefined) throw unauthorised('missing_user', 'new-api-user: the header is missing');
  if (user !== builtIn.userId) {
    throw unauthorised('invalid_user', 'new-api-user: not the user of this system token');
  }
}

/** Refuses a model that the token is not limited to. */
export function requireModel(token: Token, names: readonly string[]): void {
  const { models } = token;
  if (!models || names.some((name) => models.has(name))) return;
  throw new Refusal({
    status: 403,
    code: 'model_not_allowed',
    message: `This token has no access to model ${names[0] ?? ''}`,
  });
}

/** Refuses work that costs at least so much, where the token's quota does not cover it. */
export function requireQuota(token: Token, units: number): void {
  if (token.isUnlimited || (token.remainQuota > 0n && token.remainQuota >= BigInt(Math.ceil(units)))) return;
  throw new Refusal({
    status: 403,
    code: 'insufficient_user_quota',
    message: `This token's quota is exhausted: ${token.remainQuota} units remain`,
  });
}

interface SentKey {
  readonly key: string;
  /** Where it was found, for messages. */
  readonly place: string;
}

function admit(exchange: Exchange, services: Services, { key, place }: SentKey): Token {
  const token = services.tokens.find(key);
  if (!token) throw unauthorised('invalid_api_key', `${place}: unknown API key`);
  if (services.tokens.isExpired(token)) throw unauthorised('token_expired', 'This token has expired');
  const address = exchange.env.incoming.socket.remoteAddress ?? '';
  if (token.allowedIps && !token.allowedIps.includes(address)) {
    throw new Refusal({
      status: 403,
      code: 'ip_not_allowed',
      message: `This token may not be used from ${address}`,
    });
  }
  return token;
}

function unauthorised(code: string, message: string): Refusal {
  return new Refusal({ status: 401, code, message });
}

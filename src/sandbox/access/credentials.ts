import { Refusal } from '../http/errors.ts';
import type { Exchange, Services } from '../http/routes.ts';
import type { Token } from './tokens.ts';

/** The credentials that every sandbox accepts. */
export const builtIn = { apiKey: 'sk-sandbox', systemToken: 'sandbox-system', userId: '1' } as const;

/**
 * The token of a request that carries `Authorization: Bearer <API key>`.
 * @param otherScheme a scheme that is accepted besides "Bearer"
 */
export function requireBearerKey(exchange: Exchange, services: Services, otherScheme?: 'Key'): Token {
  const header = requireValue(
    exchange.req.header('authorization'),
    'Authorization: the header "Authorization: Bearer <API key>" is missing',
  );
  const [, scheme = '', key] = /^([a-z]+) (\S+)$/i.exec(header) ?? [];
  const isKnown = ['bearer', otherScheme?.toLowerCase()].includes(scheme.toLowerCase());
  if (key === undefined || !isKnown) throw invalidForm('Authorization: must be "Bearer <API key>"');
  return admit(exchange, services, { key, place: 'Authorization' });
}

/** The token of a request that carries `key=<API key>` in its query, or in the header that SDKs send instead. */
export function requireQueryKey(exchange: Exchange, services: Services): Token {
  const key = requireValue(
    exchange.req.query('key') ?? exchange.req.header('x-goog-api-key'),
    'key: the query parameter "key=<API key>" is missing',
  );
  return admit(exchange, services, { key, place: 'key' });
}

/** The token of a request that carries its bare key in `API-KEY`, and no `Authorization`. */
export function requireApiKeyHeader(exchange: Exchange, services: Services): Token {
  if (exchange.req.header('authorization') !== undefined) {
    throw invalidForm('Authorization: send the API key in the header API-KEY here, not in Authorization');
  }
  const header = exchange.req.header('api-key');
  const key = requireValue(header, 'API-KEY: the header "API-KEY: <API key>" is missing');
  if (/\s/.test(key)) throw invalidForm('API-KEY: must be the bare API key, without "Bearer"');
  return admit(exchange, services, { key, place: 'API-KEY' });
}

/** Requires the bare system token in `Authorization` and its user in `new-api-user`. */
export function requireSystemToken(exchange: Exchange): void {
  const header = exchange.req.header('authorization');
  const systemToken = requireValue(header, 'Authorization: the system token is missing');
  if (/^Bearer\b/i.test(systemToken)) {
    throw invalidForm('Authorization: must be the bare system token, without "Bearer"');
  }
  if (systemToken !== builtIn.systemToken) {
    throw unauthorized('invalid_system_token', 'Authorization: unknown system token');
  }
  const user = exchange.req.header('new-api-user');
  if (user === undefined) throw unauthorized('missing_user', 'new-api-user: the header is missing');
  if (user !== builtIn.userId) {
    throw unauthorized('invalid_user', 'new-api-user: not the user of this system token');
  }
}

/** Refuses a model that the token's model list does not contain. */
export function requireModel(token: Token, names: readonly string[]): void {
  const { models } = token;
  if (!models || names.some((name) => models.has(name))) return;
  throw new Refusal({
    status: 403,
    code: 'model_not_allowed',
    message: `This token has no access to model ${names[0] ?? ''}`,
  });
}

/** Refuses work whose minimum cost exceeds the token's remaining quota. */
export function requireQuota(token: Token, units: number): void {
  if (token.isUnlimited || (token.remainQuota > 0n && token.remainQuota >= BigInt(Math.ceil(units)))) return;
  throw quotaExhausted(token.remainQuota);
}

export function quotaExhausted(remainQuota: bigint): Refusal {
  const message = `This token's quota is exhausted: ${remainQuota} units remain`;
  return new Refusal({ status: 403, code: 'insufficient_user_quota', message });
}

interface SentKey {
  readonly key: string;
  /** Where the request carries it, for messages. */
  readonly place: string;
}

function admit(exchange: Exchange, services: Services, { key, place }: SentKey): Token {
  const token = services.tokens.find(key);
  if (!token) throw unauthorized('invalid_api_key', `${place}: unknown API key`);
  if (services.tokens.isExpired(token)) throw unauthorized('token_expired', 'This token has expired');
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

function requireValue(value: string | undefined, message: string): string {
  if (value === undefined || value === '') throw unauthorized('missing_credential', message);
  return value;
}

function invalidForm(message: string): Refusal {
  return unauthorized('invalid_credential_form', message);
}

function unauthorized(code: string, message: string): Refusal {
  return new Refusal({ status: 401, code, message });
}

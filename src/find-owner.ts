import { type Config, ConfigError } from './config.ts';
import { RequestError } from './errors.ts';
import { readHashSecret } from './open-records.ts';
import { looksLikeToken } from './server/callers/sign-in/looks-like-token.ts';
import { readIdentity } from './server/callers/identity.ts';
import { hashOwner, type OwnerIdentity } from './server/callers/owner-identity.ts';

/** Whose hash the operator wants to know. */
export interface OwnerQuery {
  /** The claim `AUTH_OWNER_CLAIM` of a user's tokens. */
  readonly subject?: string | undefined;
  /** A key of the gateway, as read from standard input. */
  readonly key?: string | undefined;
  /** The header `new-api-user`. */
  readonly userId?: string | undefined;
  /** The header `X-End-User`. */
  readonly endUser?: string | undefined;
}

/**
 * The owner of a caller as the log has it. Reads only the key of the hashes from the records, also beside running servers.
 * @throws ConfigError
 */
export async function findOwner(config: Config, query: OwnerQuery): Promise<string> {
  const owner = toOwner(config, query);
  return hashOwner(await readHashSecret(config), owner);
}

function toOwner(
  { AUTH, AUTH_ISSUER: issuer, GATEWAY_API_KEY_FOR_ALL: isForAll }: Config,
  query: OwnerQuery,
): OwnerIdentity {
  const { subject, key, userId, endUser } = query;
  if (subject !== undefined) {
    if (key !== undefined || userId !== undefined || endUser !== undefined)
      throw new ConfigError('--sub names the user alone: remove --key-stdin, --user and --end-user');
    if (AUTH === 'passthrough' || issuer === undefined)
      throw new ConfigError(
        '--sub needs the settings of the server, with AUTH and AUTH_ISSUER: see --env-file',
      );
    if (subject === '') throw new ConfigError('--sub is empty');
    return { type: 'token', issuer, subject };
  }
  if (key !== undefined && AUTH === 'jwt')
    throw new ConfigError('--key-stdin names no caller: with AUTH=jwt all callers sign in. Use --sub');
  const identity = readQuery(query);
  if (key !== undefined) {
    const { credential } = identity;
    if (credential === undefined) throw new ConfigError('Standard input has no key of the gateway');
    if (AUTH !== 'passthrough' && looksLikeToken(credential))
      throw new ConfigError('Standard input has a token, not a key of the gateway: name its user by --sub');
    return { type: 'key', credential, identity };
  }
  if (!isForAll || userId !== undefined)
    throw new ConfigError('gengraph owner needs --sub or --key-stdin. See --help');
  return { type: 'unnamed', endUser: identity.endUser };
}

/** Reads the values as those of a request. */
function readQuery({ key, userId, endUser }: OwnerQuery) {
  try {
    const source = { authorization: key, 'new-api-user': userId, 'x-end-user': endUser };
    return readIdentity({ headers: {}, client: [source] }, false);
  } catch (cause) {
    if (cause instanceof RequestError) throw new ConfigError(cause.message, { cause });
    throw cause;
  }
}

import type { Config } from '../../../config.ts';
import type { HeldKey } from '../../../gateway/caller.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { SignIn } from '../callers.ts';

export interface SignInOptions {
  readonly config: Config;
  /** The kinds that creates make. The limits of a token may name them. */
  readonly kinds: ReadonlySet<string>;
  /** Absent if the server holds no key. */
  readonly heldKey: HeldKey | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Undefined if every caller brings a credential of the gateway. */
export async function createSignIn({
  config,
  kinds,
  heldKey,
  clock,
  log,
}: SignInOptions): Promise<SignIn | undefined> {
  if (!heldKey) return undefined;
  if (config.AUTH === 'passthrough') {
    if (config.CORS_ORIGINS === undefined)
      log.warn(
        {},
        'GATEWAY_API_KEY_FOR_ALL without CORS_ORIGINS: any web page that a person in this network opens can use the key over a WebSocket',
      );
    return { heldKey, acceptsKeys: true };
  }
  const { createTokenVerifier } = await import('./verify-token.ts');
  const verifier = createTokenVerifier({ config, kinds, clock, log });
  // Reads the key set now, so that the first caller does not wait for it.
  verifier.canVerify();
  if (!config.AUTH_AUDIENCE)
    log.warn({}, 'AUTH_AUDIENCE is unset: tokens that the issuer made for other services are accepted too');
  if (config.AUTH_JWKS_URL !== undefined && isOpenToChanges(config.AUTH_JWKS_URL))
    log.warn(
      { host: new URL(config.AUTH_JWKS_URL).host },
      'AUTH_JWKS_URL is an http address on another machine: whoever can change its replies can sign in as any user; use https',
    );
  return { heldKey, verifier, acceptsKeys: config.AUTH === 'both' };
}

/** Whether others on the network could change the replies of an address. */
function isOpenToChanges(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

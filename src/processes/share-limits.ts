import { type Config, ConfigError } from '../config.ts';
import { namesOf } from '../lib/members.ts';

/** Limits of a server, which its processes divide, with the smallest value that one process can have. */
const smallest = {
  GATEWAY_CONNECTIONS: 1,
  DATABASE_POOL_SIZE: 2,
  MAX_RECEIVED_BYTES: 1_048_576,
  MAX_UNSENT_BYTES: 1_048_576,
  MAX_UNSENT_BYTES_PER_OWNER: 1_048_576,
  MAX_OPERATIONS_PER_OWNER: 1,
  MAX_OPERATIONS_PER_ADDRESS: 1,
  MAX_OPEN_PER_OWNER: 1,
  MAX_OPEN_PER_ADDRESS: 1,
  MAX_SOCKETS: 1,
  MAX_SOCKETS_PER_ADDRESS: 1,
  ANONYMOUS_OPERATIONS_PER_SECOND: 1,
  ANONYMOUS_BYTES_PER_SECOND: 65_536,
  ANONYMOUS_ANSWER_BYTES_PER_SECOND: 65_536,
  FILES_COPIES: 1,
} as const satisfies Partial<Record<keyof Config, number>>;

type SharedLimit = keyof typeof smallest;

export const sharedLimits = namesOf(smallest);

/** The settings of one process. Those of all slots add up to the settings of the server. */
export function shareLimits(config: Config, { slot, count }: { slot: number; count: number }): Config {
  const shares = sharedLimits.map((name) => {
    const limit = config[name];
    return [name, Math.floor(limit / count) + (slot < limit % count ? 1 : 0)] as const;
  });
  return { ...config, ...Object.fromEntries(shares) };
}

/** @throws ConfigError that names every setting with which this number of processes cannot serve */
export function checkShares(config: Config, count: number): void {
  if (config.DATABASE_URL === undefined)
    throw new ConfigError(
      `--processes ${count} needs DATABASE_URL: several processes share their records in PostgreSQL, not in DATA_DIR`,
    );
  if (config.GATEWAY_URL === undefined)
    throw new ConfigError(
      `--processes ${count} needs GATEWAY_URL: to use the sandbox, start it alone by "gengraph sandbox" and set its address`,
    );
  const problems = sharedLimits
    .map((name) => ({ name, limit: config[name], least: count * smallestShare(config, name) }))
    .filter(({ limit, least }) => limit < least)
    .map(({ name, limit, least }) => `${name}=${limit}: expected at least ${least}`);
  if (problems.length > 0)
    throw new ConfigError(`Invalid setting with --processes ${count}: ${problems.join('; ')}`);
}

/** A body that is allowed must fit into the share of one process, unless it does not fit into the whole either. */
function smallestShare({ MAX_BODY_BYTES, MAX_RECEIVED_BYTES }: Config, name: SharedLimit): number {
  const fits = name === 'MAX_RECEIVED_BYTES' && MAX_BODY_BYTES <= MAX_RECEIVED_BYTES;
  return fits ? Math.max(smallest[name], MAX_BODY_BYTES) : smallest[name];
}

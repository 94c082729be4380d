import { LRUCache } from 'lru-cache';
import { limitEntries } from '../../lib/cache-limits.ts';
import type { IpList } from './ip-list.ts';

/** The properties that a token is created with. */
interface TokenSettings {
  readonly name: string;
  readonly remainQuota: bigint;
  /** Seconds since the epoch; undefined for never. */
  readonly expiresAtSeconds: number | undefined;
  readonly isUnlimited: boolean;
  /** Undefined for any model. */
  readonly models: ReadonlySet<string> | undefined;
  /** Undefined for any address. */
  readonly allowedIps: IpList | undefined;
  readonly groups: readonly string[];
  /** Approximate memory that these properties hold. */
  readonly sizeBytes: number;
}

export interface Token extends TokenSettings {
  readonly id: number;
  readonly key: string;
  readonly createdAtSeconds: number;
  /** May fall below zero: a reply that exceeds the rest of the quota still completes. */
  remainQuota: bigint;
  usedQuota: bigint;
}

/** The API keys that the sandbox accepts. Beyond a limit the least recently used ones are evicted. */
export interface TokenRegistry {
  create(settings: TokenSettings): Token;
  find(key: string): Token | undefined;
  isExpired(token: Token): boolean;
  charge(token: Token, units: number): void;
}

export interface TokenRegistryOptions {
  readonly builtInKey: string;
  readonly clock: () => number;
  readonly random: () => number;
}

const maxTokens = 20_000;
const maxSizeBytes = 64 * 1024 * 1024;

export function createTokenRegistry({ builtInKey, clock, random }: TokenRegistryOptions): TokenRegistry {
  const tokens = new LRUCache<string, Token>(
    limitEntries(maxTokens, maxSizeBytes, ({ sizeBytes }) => sizeBytes),
  );
  let count = 0;
  const toToken = (key: string, settings: TokenSettings): Token => {
    count += 1;
    return { ...settings, id: count, key, createdAtSeconds: Math.floor(clock() / 1000), usedQuota: 0n };
  };
  const builtIn = toToken(builtInKey, {
    name: 'sandbox',
    remainQuota: 0n,
    expiresAtSeconds: undefined,
    isUnlimited: true,
    models: undefined,
    allowedIps: undefined,
    groups: ['default'],
    sizeBytes: 0,
  });

  return {
    create(settings) {
      const token = toToken(`sk-${randomText(48, random)}`, settings);
      tokens.set(token.key, token);
      return token;
    },
    find: (key) => (key === builtInKey ? builtIn : tokens.get(key)),
    isExpired: ({ expiresAtSeconds }) => expiresAtSeconds !== undefined && expiresAtSeconds * 1000 <= clock(),
    charge(token, units) {
      const cost = BigInt(Math.ceil(units));
      token.usedQuota += cost;
      if (!token.isUnlimited) token.remainQuota -= cost;
    },
  };
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random letters and digits, for keys and ids. */
export function randomText(length: number, random: () => number): string {
  let text = '';
  for (let at = 0; at < length; at += 1) text += alphabet[Math.floor(random() * alphabet.length)];
  return text;
}

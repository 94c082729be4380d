import { LRUCache } from 'lru-cache';
import { limitEntries } from '../../lib/cache-limits.ts';
import type { Clock } from '../../lib/clock.ts';

interface BucketRate {
  /** Tokens of a full bucket. */
  readonly burst: number;
  readonly perSecond: number;
}

export interface TokenBucketsOptions {
  readonly perAddress: BucketRate;
  /** For all addresses together. */
  readonly total: BucketRate;
  readonly clock: Clock;
}

/** Token buckets of network addresses, and one for all of them. */
export interface TokenBuckets {
  /** Takes tokens. Returns the seconds to wait, and takes none, if there are too few. */
  take(address: string, amount?: number): number | undefined;
  /** Takes tokens that are spent already. A bucket can owe as many as it holds when it is full. */
  charge(address: string, amount: number): void;
  /** Returns a token that was taken. */
  refund(address: string): void;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

const maxAddresses = 20_000;

export function createTokenBuckets({ perAddress, total, clock }: TokenBucketsOptions): TokenBuckets {
  const buckets = new LRUCache<string, Bucket>(limitEntries(maxAddresses));
  const createBucket = ({ burst }: BucketRate): Bucket => ({ tokens: burst, filledAt: clock.elapsed() });
  const all = createBucket(total);
  const bucketOf = (address: string): Bucket => {
    const known = buckets.get(address);
    if (known) return known;
    const bucket = createBucket(perAddress);
    buckets.set(address, bucket);
    return bucket;
  };
  const fill = (bucket: Bucket, { burst, perSecond }: BucketRate): void => {
    const now = clock.elapsed();
    const elapsedSeconds = (now - bucket.filledAt) / 1000;
    bucket.tokens = Math.min(burst, bucket.tokens + elapsedSeconds * perSecond);
    bucket.filledAt = now;
  };
  return {
    take(address, amount = 1) {
      const own = bucketOf(address);
      fill(own, perAddress);
      fill(all, total);
      const missingSeconds = Math.max(
        (amount - own.tokens) / perAddress.perSecond,
        (amount - all.tokens) / total.perSecond,
      );
      if (missingSeconds > 0) return Math.ceil(missingSeconds);
      own.tokens -= amount;
      all.tokens -= amount;
      return undefined;
    },
    charge(address, amount) {
      const own = bucketOf(address);
      fill(own, perAddress);
      fill(all, total);
      own.tokens = Math.max(-perAddress.burst, own.tokens - amount);
      all.tokens = Math.max(-total.burst, all.tokens - amount);
    },
    refund(address) {
      const own = bucketOf(address);
      own.tokens = Math.min(perAddress.burst, own.tokens + 1);
      all.tokens = Math.min(total.burst, all.tokens + 1);
    },
  };
}

/** Seconds of the rate that an address may use at once. */
const burstSeconds = 20;
/** Rate of all addresses together, as a multiple of the rate of one. */
const totalFactor = 5;

/** For callers that the gateway has not accepted. */
export function createAnonymousBuckets(perSecond: number, clock: Clock): TokenBuckets {
  const total = totalFactor * perSecond;
  return createTokenBuckets({
    perAddress: { perSecond, burst: burstSeconds * perSecond },
    total: { perSecond: total, burst: burstSeconds * total },
    clock,
  });
}

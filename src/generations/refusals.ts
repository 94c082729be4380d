import { LRUCache } from 'lru-cache';
import { type ExpectedError, StreamError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Creation, GenerationFailure } from '../store/records.ts';
import { fromFailure, toFailure } from './failure.ts';

/**
 * Refused creates of operations over a WebSocket, in memory. The stock graphql-ws client resends an operation whose
 * connection breaks before the operation completes. Its refused create must not be sent again.
 */
export interface Refusals {
  add(creation: Creation, error: ExpectedError): void;
  /** The refusal of a create with the same key, operation and input. */
  find(creation: Creation): ExpectedError | undefined;
}

/** Longer than the stock client retries with the options of `client/reconnecting.ts`. */
const keptMs = 600_000;
const maxBytes = 16_777_216;
const maxOwnerBytes = 262_144;
/** Approximate memory of an entry without its texts. It limits the number of entries, too. */
const entryBytes = 1024;

interface Refusal extends Pick<Creation, 'operation' | 'fingerprint'> {
  /** Not the error itself, whose cause may hold a reply. */
  readonly failure: GenerationFailure;
}

export function createRefusals(clock: Clock): Refusals {
  // Never 0, which lru-cache takes for an entry without a time.
  const expiry = { ttl: keptMs, ttlResolution: 0, perf: { now: () => 1 + clock.elapsed() } };
  // One cache per owner, so that an owner with many refusals evicts its own.
  const owners = new LRUCache<string, LRUCache<string, Refusal>>({ ...expiry, maxSize: maxBytes });
  return {
    add({ owner, key, operation, fingerprint }, error) {
      if (key === undefined) return;
      const own = owners.get(owner) ?? new LRUCache<string, Refusal>({ ...expiry, maxSize: maxOwnerBytes });
      const failure = toFailure(error);
      const { message, upstreamCode = '' } = failure;
      const size = entryBytes + 2 * (message.length + upstreamCode.length);
      own.set(key, { operation, fingerprint, failure }, { size });
      owners.set(owner, own, { size: entryBytes + own.calculatedSize });
    },
    find({ owner, key, operation, fingerprint, subjectId }) {
      const refusal = key === undefined ? undefined : owners.get(owner)?.get(key);
      if (refusal?.operation !== operation || refusal.fingerprint !== fingerprint) return undefined;
      return fromFailure(refusal.failure, subjectId);
    },
  };
}

/**
 * The error of an operation whose client left before its create was sent. The client may have repeated it on another server,
 * and have got a refusal there: then it creates again, under another key.
 */
export function toUnawaited(): StreamError {
  return new StreamError('INTERRUPTED', 'The client left before its create was sent.', { retry: 'SAME_KEY' });
}

import { RateLimitError, RequestError } from '../../errors.ts';
import type { AcceptedCallers } from '../../gateway/accepted-callers.ts';
import { accountPartyOf, type OperationSource } from './admission-path.ts';
import type { TokenBuckets } from './token-buckets.ts';

/** Bytes of bodies and messages that arrive, wait or are being parsed, over all connections of the process. */
export interface ReceivedBytes {
  readonly total: number;
  /** Starts the accounting of one connection. `source` is read when a body begins. */
  open(source: () => OperationSource): ReceivedBody;
}

export interface ReceivedBody {
  /**
   * Sets the number of bytes that the connection holds, and of those that belong to one body.
   * @throws RequestError if one body is too large, RateLimitError if all bodies together are
   */
  update(bytes: number, bodyBytes?: number): void;
  close(): void;
}

export interface ReceivedBytesOptions {
  /** Limit for all connections together. */
  readonly maxTotalBytes: number;
  readonly maxBodyBytes: number;
  /** Limit of one body without a credential. */
  readonly maxAnonymousBodyBytes: number;
  readonly acceptedCallers: Pick<AcceptedCallers, 'has'>;
  /** Bytes of callers that the gateway has not accepted. */
  readonly anonymousRate?: TokenBuckets;
}

/** Largest part of the total for one account, or for one address of callers that the gateway has not accepted. */
const partyShare = 1 / 4;
/** Largest part of the total for all callers that the gateway has not accepted. */
const anonymousShare = 1 / 2;

const retryAfterSeconds = 1;

interface Party {
  readonly key: string;
  readonly address: string;
  readonly isAnonymous: boolean;
  readonly maxBodyBytes: number;
}

export function createReceivedBytes(options: ReceivedBytesOptions): ReceivedBytes {
  const { maxTotalBytes, maxBodyBytes, acceptedCallers } = options;
  const maxPartyBytes = Math.max(maxBodyBytes, maxTotalBytes * partyShare);
  const maxAnonymousBytes = Math.max(maxBodyBytes, maxTotalBytes * anonymousShare);
  const byParty = new Map<string, number>();
  let total = 0;
  let anonymous = 0;

  const partyOf = (source: OperationSource): Party => {
    const { caller, address } = source;
    const isAnonymous = caller === undefined || !acceptedCallers.has(caller);
    return {
      key: accountPartyOf(source, acceptedCallers),
      address,
      isAnonymous,
      maxBodyBytes: caller ? maxBodyBytes : Math.min(maxBodyBytes, options.maxAnonymousBodyBytes),
    };
  };
  const add = ({ key, isAnonymous }: Party, difference: number): void => {
    const bytes = (byParty.get(key) ?? 0) + difference;
    if (bytes > 0) byParty.set(key, bytes);
    else byParty.delete(key);
    total += difference;
    if (isAnonymous) anonymous += difference;
  };
  const isOver = ({ key, isAnonymous }: Party): boolean =>
    total > maxTotalBytes ||
    (byParty.get(key) ?? 0) > maxPartyBytes ||
    (isAnonymous && anonymous > maxAnonymousBytes);

  class Connection implements ReceivedBody {
    readonly #source: () => OperationSource;
    #party: Party | undefined;
    #held = 0;

    constructor(source: () => OperationSource) {
      this.#source = source;
    }

    update(bytes: number, bodyBytes = bytes): void {
      if (this.#held === 0 && bytes > 0) this.#party = partyOf(this.#source());
      const growth = bytes - this.#held;
      this.#set(bytes);
      const party = this.#party;
      if (!party || growth <= 0) return;
      if (bodyBytes > party.maxBodyBytes)
        throw new RequestError(
          'LIMIT_EXCEEDED',
          `The request body is larger than ${party.maxBodyBytes} bytes.`,
          { setting: party.maxBodyBytes < maxBodyBytes ? 'MAX_ANONYMOUS_BODY_BYTES' : 'MAX_BODY_BYTES' },
        );
      const waitSeconds = party.isAnonymous ? options.anonymousRate?.take(party.address, growth) : undefined;
      if (waitSeconds !== undefined)
        throw new RateLimitError(
          'Too many bytes from this network address, with credentials that the gateway has not accepted. Retry.',
          { retryAfterSeconds: waitSeconds, setting: 'ANONYMOUS_BYTES_PER_SECOND' },
        );
      if (isOver(party))
        throw new RateLimitError('The server is receiving too many large requests. Retry.', {
          retryAfterSeconds,
          setting: 'MAX_RECEIVED_BYTES',
        });
    }

    close(): void {
      this.#set(0);
    }

    #set(bytes: number): void {
      if (this.#party) add(this.#party, bytes - this.#held);
      this.#held = bytes;
      // The next body may have another caller.
      if (bytes === 0) this.#party = undefined;
    }
  }

  return {
    get total() {
      return total;
    },
    open: (source) => new Connection(source),
  };
}

import { RateLimitError, RequestError } from '../../errors.ts';
import type { AcceptedCallers } from '../../gateway/accepted-callers.ts';
import { Tally } from '../../lib/fairness/tally.ts';
import { accountOrAddress, type OperationSource } from './admission-path.ts';
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
const accountShare = 1 / 4;
/** Largest part of the total for all callers that the gateway has not accepted. */
const anonymousShare = 1 / 2;

const retryAfterSeconds = 1;

/** Of a body. */
interface Sender {
  readonly key: string;
  readonly address: string;
  readonly isAnonymous: boolean;
  readonly maxBodyBytes: number;
}

export function createReceivedBytes(options: ReceivedBytesOptions): ReceivedBytes {
  const { maxTotalBytes, maxBodyBytes, acceptedCallers } = options;
  const maxAccountBytes = Math.max(maxBodyBytes, maxTotalBytes * accountShare);
  const maxAnonymousBytes = Math.max(maxBodyBytes, maxTotalBytes * anonymousShare);
  const held = new Tally();
  let anonymous = 0;

  const senderOf = (source: OperationSource): Sender => {
    const { caller, address } = source;
    const isAnonymous = caller === undefined || !acceptedCallers.has(caller);
    return {
      key: accountOrAddress(source, acceptedCallers),
      address,
      isAnonymous,
      maxBodyBytes: caller ? maxBodyBytes : Math.min(maxBodyBytes, options.maxAnonymousBodyBytes),
    };
  };
  const add = ({ key, isAnonymous }: Sender, difference: number): void => {
    held.add(key, difference);
    if (isAnonymous) anonymous += difference;
  };
  const isOver = ({ key, isAnonymous }: Sender): boolean =>
    held.total > maxTotalBytes ||
    held.of(key) > maxAccountBytes ||
    (isAnonymous && anonymous > maxAnonymousBytes);

  class Connection implements ReceivedBody {
    readonly #source: () => OperationSource;
    #sender: Sender | undefined;
    #held = 0;

    constructor(source: () => OperationSource) {
      this.#source = source;
    }

    update(bytes: number, bodyBytes = bytes): void {
      if (this.#held === 0 && bytes > 0) this.#sender = senderOf(this.#source());
      const growth = bytes - this.#held;
      this.#set(bytes);
      const sender = this.#sender;
      if (!sender || growth <= 0) return;
      if (bodyBytes > sender.maxBodyBytes)
        throw new RequestError(
          'LIMIT_EXCEEDED',
          `The request body is larger than ${sender.maxBodyBytes} bytes.`,
          { setting: sender.maxBodyBytes < maxBodyBytes ? 'MAX_ANONYMOUS_BODY_BYTES' : 'MAX_BODY_BYTES' },
        );
      const waitSeconds = sender.isAnonymous
        ? options.anonymousRate?.take(sender.address, growth)
        : undefined;
      if (waitSeconds !== undefined)
        throw new RateLimitError(
          'Too many bytes from this network address, with credentials that the gateway has not accepted. Retry.',
          { retryAfterSeconds: waitSeconds, setting: 'ANONYMOUS_BYTES_PER_SECOND' },
        );
      if (isOver(sender))
        throw new RateLimitError('The server is receiving too many large requests. Retry.', {
          retryAfterSeconds,
          setting: 'MAX_RECEIVED_BYTES',
        });
    }

    close(): void {
      this.#set(0);
    }

    #set(bytes: number): void {
      if (this.#sender) add(this.#sender, bytes - this.#held);
      this.#held = bytes;
      // The next body may have another caller.
      if (bytes === 0) this.#sender = undefined;
    }
  }

  return {
    get total() {
      return held.total;
    },
    open: (source) => new Connection(source),
  };
}

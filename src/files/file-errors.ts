import { FilesUnavailableError, RateLimitError, RecordsUnavailableError } from '../errors.ts';
import type { FileFailure } from '../store/file-records.ts';

/** Another attempt would end in the same way. */
export class FileFailedError extends Error {
  override readonly name = 'FileFailedError';
  readonly failure: FileFailure;

  constructor(failure: FileFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.failure = failure;
  }
}

/** Another attempt may succeed. */
export class FileRetryError extends Error {
  override readonly name = 'FileRetryError';
  /** The failure if no attempt succeeds. */
  readonly failure: FileFailure;
  /** Most attempts, as far as the reply decides it. */
  readonly maxAttempts: number | undefined;

  constructor(
    failure: FileFailure,
    message: string,
    options: { maxAttempts?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.failure = failure;
    this.maxAttempts = options.maxAttempts;
  }
}

/**
 * A file that cannot be read or written now may be so later.
 * @throws FilesUnavailableError in place of the error of the store; RateLimitError as it is
 */
export function fromStore<Found>(work: Promise<Found>): Promise<Found> {
  return work.catch((cause: unknown) => {
    if (cause instanceof RecordsUnavailableError || cause instanceof RateLimitError) throw cause;
    throw new FilesUnavailableError('The store of files is unavailable', { cause });
  });
}

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

import { errorCodes, isErrorCode, type RetryAdvice } from '../error-codes.ts';
import {
  AuthenticationError,
  ExpectedError,
  GatewayError,
  InvalidInputError,
  NotContinuableError,
  NotFoundError,
  OutcomeUnknownError,
  QuotaError,
  RateLimitError,
  RecordsUnavailableError,
  ServerKeyError,
  StreamError,
  type StreamErrorCode,
} from '../errors.ts';
import type { GenerationFailure } from '../store/records.ts';

/** Refusals count toward no limit of records, and an input may name thousands of files. */
const maxIssues = 10;

/** Converts an error to its recorded form. Masks the message of an unexpected error. */
export function toFailure(error: unknown): GenerationFailure {
  if (error instanceof RecordsUnavailableError)
    return { code: 'INTERNAL', message: 'The server could not access its records.' };
  if (!(error instanceof ExpectedError))
    return { code: 'INTERNAL', message: 'An internal error of this server stopped the generation.' };
  const upstreamCode =
    'upstreamCode' in error && typeof error.upstreamCode === 'string' ? error.upstreamCode : undefined;
  const { code, message, retry, retryAfterSeconds } = error;
  const failure = { code, message, upstreamCode, retry, retryAfterSeconds };
  const status = error instanceof GatewayError ? error.status : undefined;
  const limit = error instanceof RateLimitError ? error.limit : undefined;
  return {
    ...failure,
    status,
    ...(limit && { limit }),
    ...(error instanceof InvalidInputError && { issues: error.issues.slice(0, maxIssues) }),
    ...(error instanceof NotContinuableError && { generationId: error.generationId }),
  };
}

/** The advice for a failed generation or task, which may have been charged. */
export function failureAdvice({ code, retry }: GenerationFailure): RetryAdvice {
  return retry ?? errorCodes[isErrorCode(code) ? code : 'INTERNAL'].retry;
}

const unchargedAdvice: ReadonlySet<RetryAdvice> = new Set([
  'FIX_INPUT',
  'AUTHENTICATE',
  'ADD_QUOTA',
  'SAFE',
  'LATER',
]);

/** Whether the gateway refused the create, after its generation had become visible. */
export function isUncharged(failure: GenerationFailure): boolean {
  return unchargedAdvice.has(failureAdvice(failure));
}

const readAdvice: ReadonlySet<RetryAdvice> = new Set(['SAFE', 'AUTHENTICATE', 'ADD_QUOTA']);

/** The advice for a failed read of a task. It charges nothing, and a later read may succeed after any cause. */
export function readFailureAdvice(failure: GenerationFailure): RetryAdvice {
  const advice = failureAdvice(failure);
  return readAdvice.has(advice) ? advice : 'LATER';
}

const streamCodes: readonly StreamErrorCode[] = [
  'NOT_RESUMABLE',
  'INTERRUPTED',
  'STREAM_CUT',
  'STREAM_UNFINISHED',
  'STREAM_STALLED',
  'DETACHED',
  'INTERNAL',
];

/** Rebuilds the error that a record holds. */
export function fromFailure(failure: GenerationFailure, generationId: string): ExpectedError {
  const { code, message } = failure;
  const streamCode = streamCodes.find((known) => known === code);
  if (streamCode) return new StreamError(streamCode, message, failure);
  switch (code) {
    case 'AUTHENTICATION_FAILED':
      return new AuthenticationError(message, failure);
    case 'SERVER_KEY_REFUSED':
      return new ServerKeyError(message, failure);
    case 'QUOTA_EXCEEDED':
      return new QuotaError(message, failure);
    case 'RATE_LIMITED':
      return new RateLimitError(message, failure);
    case 'OUTCOME_UNKNOWN':
      return new OutcomeUnknownError(generationId, undefined, message);
    case 'GATEWAY_ERROR':
      return new GatewayError(message, failure);
    case 'INVALID_INPUT':
      return new InvalidInputError(failure.issues ?? []);
    case 'NOT_CONTINUABLE':
      // The only reason that is recorded.
      return new NotContinuableError('RUNNING', message, failure.generationId ?? generationId);
    case 'NOT_FOUND':
      return new NotFoundError(message, failure);
    default:
      // Recorded by another version. `GenerationFailure.code` shows the same.
      return new StreamError('INTERNAL', message, failure);
  }
}

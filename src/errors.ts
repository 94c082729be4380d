import type { Json } from './lib/json.ts';
/** All error codes, as used in union members, stream ends and `extensions.code`, with their meaning. */
export const errorCodes = {
  INVALID_INPUT: 'The input violates a documented limit of the gateway. Nothing was sent or charged.',
  AUTHENTICATION_FAILED: 'The gateway rejected the credential, or the credential lacks a permission.',
  QUOTA_EXCEEDED: 'The quota of the access token is exhausted.',
  RATE_LIMITED: 'The gateway limits the request rate. Retry after `retryAfterSeconds`.',
  GATEWAY_ERROR: 'The gateway returned an error or an unreadable reply, or could not be reached.',
  IDEMPOTENCY_CONFLICT: 'The idempotency key was used before with another operation or input.',
  OUTCOME_UNKNOWN:
    'The gateway may have accepted the request, but its reply was lost. The request is not retried, because that could charge twice.',
  NOT_FOUND: 'The record or task does not exist, or belongs to another caller.',
  NOT_CANCELABLE: 'This generation cannot be canceled through this API.',
  NOT_RESUMABLE: 'The stream can no longer be resumed. It was not restarted.',
  INTERRUPTED: 'The server stopped during the stream. The saved output is kept.',
  STREAM_CUT: 'The connection to the gateway broke during the stream. The received output is kept.',
  STREAM_UNFINISHED: "The gateway's stream ended without its end marker. The received output is kept.",
  STREAM_STALLED: "The gateway's stream sent nothing for too long. The received output is kept.",
  DETACHED:
    'The stream was stopped because it had no subscriber for too long. Applies to streams without an idempotency key.',
  UNAUTHENTICATED: 'The request has no credential.',
  LIMIT_EXCEEDED:
    'The operation exceeds a limit of this API (depth, fields, aliases, tokens, characters, ids, page size, timeout).',
  BAD_REQUEST: 'The request is malformed, or has an invalid argument such as a cursor, raw id or page size.',
  GRAPHQL_PARSE_FAILED: 'The document has a GraphQL syntax error.',
  GRAPHQL_VALIDATION_FAILED: 'The document is not valid for the schema.',
  SHUTTING_DOWN: 'The server is shutting down. Retry in a moment.',
  INTERNAL: 'An internal error, or the server cannot store records. Find it in the server log by request id.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** An expected failure that clients may see. All other errors are masked. */
export abstract class ExpectedError extends Error {
  abstract readonly code: ErrorCode;
  override get name(): string {
    return this.constructor.name;
  }
}

/** One violated limit or rule. */
export interface InputIssue {
  /** Path from the argument to the member: `['input', 'messages', '0', 'content']`. */
  readonly path: readonly string[];
  readonly message: string;
  /** The limit, e.g. `0 to 2`. */
  readonly limit?: string | undefined;
  /** The received value, abbreviated. A length for long text. */
  readonly received?: string | undefined;
}

export class InvalidInputError extends ExpectedError {
  readonly code = 'INVALID_INPUT';
  readonly issues: readonly InputIssue[];
  constructor(issues: readonly InputIssue[]) {
    super(issues.length === 1 ? (issues[0]?.message ?? '') : `${issues.length} problems with the input.`);
    this.issues = issues;
  }
}

/** Facts from an error reply of the gateway. */
export interface GatewayErrorFacts {
  /** HTTP status. Absent if there was no reply. */
  readonly status?: number | undefined;
  readonly upstreamCode?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly isRetryable?: boolean | undefined;
  readonly cause?: unknown;
}

export class AuthenticationError extends ExpectedError {
  readonly code = 'AUTHENTICATION_FAILED';
  readonly upstreamCode: string | undefined;
  constructor(message: string, facts: GatewayErrorFacts = {}) {
    super(message);
    this.upstreamCode = facts.upstreamCode;
  }
}

export class QuotaError extends ExpectedError {
  readonly code = 'QUOTA_EXCEEDED';
  readonly upstreamCode: string | undefined;
  constructor(message: string, facts: GatewayErrorFacts = {}) {
    super(message);
    this.upstreamCode = facts.upstreamCode;
  }
}

export class RateLimitError extends ExpectedError {
  readonly code = 'RATE_LIMITED';
  readonly upstreamCode: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  constructor(message: string, facts: GatewayErrorFacts = {}) {
    super(message);
    this.upstreamCode = facts.upstreamCode;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

export class GatewayError extends ExpectedError {
  readonly code = 'GATEWAY_ERROR';
  readonly status: number | undefined;
  readonly upstreamCode: string | undefined;
  readonly isRetryable: boolean;
  readonly retryAfterSeconds: number | undefined;
  constructor(message: string, facts: GatewayErrorFacts = {}) {
    super(message, { cause: facts.cause });
    this.status = facts.status;
    this.upstreamCode = facts.upstreamCode;
    this.isRetryable = facts.isRetryable ?? false;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** A create may have been sent, but no reply says whether it was accepted or which id it got. */
export class LostReplyError extends Error {
  override readonly name = 'LostReplyError';
  /** The reply, if it was readable but incomplete. */
  readonly reply: Json | undefined;
  constructor(message: string, options: ErrorOptions & { readonly reply?: Json } = {}) {
    super(message, options);
    this.reply = options.reply;
  }
}

/**
 * The store cannot read or write, e.g. on a full disk. Not an ExpectedError: a create that was already sent may have been
 * charged, and the operator must be notified.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** True if the failure prevented a create from being sent. */
  readonly isBeforeSending: boolean;
  constructor(message: string, options: ErrorOptions & { readonly isBeforeSending?: boolean } = {}) {
    super(message, options);
    this.isBeforeSending = options.isBeforeSending ?? false;
  }
}

export class IdempotencyConflictError extends ExpectedError {
  readonly code = 'IDEMPOTENCY_CONFLICT';
  readonly generationId: string | undefined;
  constructor(generationId: string | undefined) {
    super('This idempotency key was used before with another operation or input. Use a new key.');
    this.generationId = generationId;
  }
}

export class OutcomeUnknownError extends ExpectedError {
  readonly code = 'OUTCOME_UNKNOWN';
  readonly generationId: string | undefined;
  constructor(generationId: string | undefined, cause?: unknown) {
    const lost = cause instanceof LostReplyError ? cause : undefined;
    const problem = lost?.reply === undefined ? 'but its reply was lost' : 'but its reply is incomplete';
    const reason = lost ? ` (${lost.message})` : '';
    super(`The gateway may have accepted this request, ${problem}${reason}. It is not sent again.`, {
      cause,
    });
    this.generationId = generationId;
  }
}

export class NotFoundError extends ExpectedError {
  readonly code = 'NOT_FOUND';
}

export class NotCancelableError extends ExpectedError {
  readonly code = 'NOT_CANCELABLE';
}

export type StreamErrorCode =
  | 'NOT_RESUMABLE'
  | 'INTERRUPTED'
  | 'STREAM_CUT'
  | 'STREAM_UNFINISHED'
  | 'STREAM_STALLED'
  | 'DETACHED';

/** A stream that failed or cannot be resumed for a transport reason, as opposed to an error of the gateway. */
export class StreamError extends ExpectedError {
  readonly code: StreamErrorCode;
  constructor(code: StreamErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Rejects a whole request. Appears in the top-level `errors`, not in a result union. */
export class RequestError extends ExpectedError {
  readonly code: ErrorCode;
  constructor(code: 'UNAUTHENTICATED' | 'LIMIT_EXCEEDED' | 'BAD_REQUEST' | 'SHUTTING_DOWN', message: string) {
    super(message);
    this.code = code;
  }
}

/** `extensions` of a top-level error. Undefined for defects, which are masked. */
export function toErrorExtensions(error: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!(error instanceof ExpectedError)) return undefined;
  const extensions: Record<string, unknown> = { code: error.code };
  if (error instanceof InvalidInputError) extensions['issues'] = error.issues;
  if (error instanceof GatewayError)
    Object.assign(extensions, { status: error.status, retryable: error.isRetryable });
  if (error instanceof GatewayError || error instanceof RateLimitError) {
    extensions['retryAfterSeconds'] = error.retryAfterSeconds;
  }
  return extensions;
}

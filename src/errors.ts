import type { Json } from './lib/json.ts';
/** Every code that a client can meet, in a union member, a stream's ending or `extensions.code`, with its meaning. */
export const errorCodes = {
  INVALID_INPUT: 'A documented limit or rule of the gateway is broken. Nothing was sent or spent.',
  AUTHENTICATION_FAILED: 'The gateway refused the credential, or the credential may not do this.',
  QUOTA_EXCEEDED: "The access token's quota does not suffice.",
  RATE_LIMITED: 'The gateway asks to slow down; see `retryAfterSeconds`.',
  GATEWAY_ERROR: 'The gateway answered with an error, with something unreadable, or could not be reached.',
  IDEMPOTENCY_CONFLICT: 'The idempotency key was used before with another operation or other input.',
  OUTCOME_UNKNOWN:
    'The request may have reached the gateway, but its reply was lost. Not sent again, so as not to pay twice.',
  NOT_FOUND: 'There is no such record or task, or none of this caller.',
  NOT_CANCELABLE: 'Work of this kind, or this piece of work, cannot be cancelled through this API.',
  NOT_RESUMABLE: 'The stream can no longer be followed, and was not started again.',
  INTERRUPTED: 'The server that ran the stream stopped; what had been saved is kept.',
  STREAM_CUT: 'The connection to the gateway broke within a stream; what had arrived is kept.',
  STREAM_UNFINISHED: "The gateway's stream ended without its closing mark; what had arrived is kept.",
  STREAM_STALLED: "The gateway's stream fell silent for too long; what had arrived is kept.",
  DETACHED:
    'A chat or image stream without an idempotency key of its client was watched by nobody for too long, so it was stopped.',
  UNAUTHENTICATED: 'The request carries no credential.',
  LIMIT_EXCEEDED:
    'The operation is larger than this API admits (depth, fields, aliases, tokens, characters, ids, page size, time-out).',
  BAD_REQUEST:
    'The request cannot be understood, or an argument of it: a cursor, a raw id, a negative page size.',
  GRAPHQL_PARSE_FAILED: 'The document is not GraphQL.',
  GRAPHQL_VALIDATION_FAILED: 'The document does not fit the schema.',
  SHUTTING_DOWN: 'The server is draining; try again elsewhere or in a moment.',
  INTERNAL:
    'A defect of this server, or records that it cannot keep right now; the log has it under the request id.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** An expected failure: safe to show to the client. Anything else is masked. */
export abstract class ExpectedError extends Error {
  abstract readonly code: ErrorCode;
  override get name(): string {
    return this.constructor.name;
  }
}

/** One broken limit or rule. */
export interface InputIssue {
  /** From the argument to the member: `['input', 'messages', '0', 'content']`. */
  readonly path: readonly string[];
  readonly message: string;
  /** What would be right, e.g. `0 to 2`. */
  readonly limit?: string | undefined;
  /** What came, abbreviated; a length for long text. */
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

/** What the gateway's reply said about a refusal. */
export interface GatewayErrorFacts {
  /** HTTP status; absent when no reply came. */
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

/** Bytes of a create may have left and no reply came that tells whether, or as what, it was accepted. */
export class LostReplyError extends Error {
  override readonly name = 'LostReplyError';
  /** What came all the same. */
  readonly reply: Json | undefined;
  constructor(message: string, options: ErrorOptions & { readonly reply?: Json } = {}) {
    super(message, options);
    this.reply = options.reply;
  }
}

/**
 * Records cannot be read or written right now, as on a full disk. No ExpectedError: after a create was sent it does not
 * mean that nothing was spent, and an operator has to know of it.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** Whether it kept a create from being sent. */
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
    super('This idempotency key was used before with another operation or other input.');
    this.generationId = generationId;
  }
}

export class OutcomeUnknownError extends ExpectedError {
  readonly code = 'OUTCOME_UNKNOWN';
  readonly generationId: string | undefined;
  constructor(generationId: string | undefined, cause?: unknown) {
    const lost = cause instanceof LostReplyError ? cause : undefined;
    const what = lost?.reply === undefined ? 'but its reply was lost' : 'but its reply does not say as what';
    const reason = lost ? ` (${lost.message})` : '';
    super(`The gateway may have accepted this request, ${what}${reason}. It is not sent again.`, { cause });
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

/** A stream that ended, or cannot be followed, for a reason of its transport rather than a word of the gateway. */
export class StreamError extends ExpectedError {
  readonly code: StreamErrorCode;
  constructor(code: StreamErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A request that this API refuses as a whole: it appears among the top-level errors, never in a result union. */
export class RequestError extends ExpectedError {
  readonly code: ErrorCode;
  constructor(code: 'UNAUTHENTICATED' | 'LIMIT_EXCEEDED' | 'BAD_REQUEST' | 'SHUTTING_DOWN', message: string) {
    super(message);
    this.code = code;
  }
}

/** `extensions` of a top-level error: the one place where an error becomes a code. Undefined for defects, which are masked. */
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

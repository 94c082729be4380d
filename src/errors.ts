import type { Json } from './lib/json.ts';
/** The reactions of a client to an error, with their meaning. */
export const retryAdvice = {
  FIX_INPUT: 'Change the request: the same request fails again. Nothing was charged.',
  AUTHENTICATE: 'Use another credential, or one with more permissions or quota. Nothing was charged.',
  SAFE: 'Nothing was charged. Retry with the same idempotency key.',
  LATER:
    'Nothing was charged. Retry with the same idempotency key after `retryAfterSeconds`, or after a while.',
  MAY_CHARGE_AGAIN: 'A new idempotency key may charge again: ask the user first.',
  NEVER: 'A retry is pointless.',
} as const;

export type RetryAdvice = keyof typeof retryAdvice;

/** All error codes, as used in union members, stream ends and `extensions.code`: meaning and usual advice. */
export const errorCodes = {
  INVALID_INPUT: {
    retry: 'FIX_INPUT',
    description: 'The input violates a documented limit of the gateway. Nothing was sent or charged.',
  },
  AUTHENTICATION_FAILED: {
    retry: 'AUTHENTICATE',
    description: 'The gateway rejected the credential or its permissions.',
  },
  QUOTA_EXCEEDED: { retry: 'AUTHENTICATE', description: 'The quota of the access token is exhausted.' },
  RATE_LIMITED: {
    retry: 'LATER',
    description: 'The gateway or this API limits the requests of a caller. Retry after `retryAfterSeconds`.',
  },
  GATEWAY_ERROR: {
    retry: 'MAY_CHARGE_AGAIN',
    description: 'The gateway returned an error or an unreadable reply, or is unreachable.',
  },
  IDEMPOTENCY_CONFLICT: {
    retry: 'FIX_INPUT',
    description: 'The idempotency key was used before with another operation or input.',
  },
  OUTCOME_UNKNOWN: {
    retry: 'MAY_CHARGE_AGAIN',
    description: 'The gateway may have charged the request, but its reply was lost.',
  },
  NOT_FOUND: {
    retry: 'NEVER',
    description: 'No such object, or it belongs to another caller.',
  },
  NOT_CANCELABLE: { retry: 'NEVER', description: 'This generation cannot be canceled through this API.' },
  NOT_RESUMABLE: {
    retry: 'MAY_CHARGE_AGAIN',
    description: 'The stream can no longer be followed. It was not started again.',
  },
  INTERRUPTED: {
    retry: 'MAY_CHARGE_AGAIN',
    description: 'The server stopped. Saved output is kept.',
  },
  STREAM_CUT: {
    retry: 'MAY_CHARGE_AGAIN',
    description: 'The connection to the gateway broke. Received output is kept.',
  },
  STREAM_UNFINISHED: {
    retry: 'MAY_CHARGE_AGAIN',
    description: 'The stream ended without its end marker. Received output is kept.',
  },
  STREAM_STALLED: {
    retry: 'MAY_CHARGE_AGAIN',
    description: 'The gateway sent nothing for too long. Received output is kept.',
  },
  DETACHED: {
    retry: 'MAY_CHARGE_AGAIN',
    description: 'A stream without an idempotency key had no subscriber for too long.',
  },
  UNAUTHENTICATED: {
    retry: 'AUTHENTICATE',
    description:
      'The request has no usable credential, its token is not valid or has expired, or it lacks `new-api-user`.',
  },
  FORBIDDEN: {
    retry: 'AUTHENTICATE',
    description: 'The token lacks the scope that this field needs.',
  },
  AUTH_UNAVAILABLE: {
    retry: 'SAFE',
    description: 'Tokens cannot be checked now, because the key set of their issuer cannot be read.',
  },
  LIMIT_EXCEEDED: {
    retry: 'FIX_INPUT',
    description: 'The operation exceeds a limit of this API, such as depth or page size.',
  },
  BAD_REQUEST: {
    retry: 'FIX_INPUT',
    description: 'A malformed request, or an invalid argument such as a cursor or page size.',
  },
  PERSISTED_DOCUMENT_NOT_FOUND: {
    retry: 'FIX_INPUT',
    description: 'No trusted document has this `documentId`.',
  },
  PERSISTED_DOCUMENT_ID_REQUIRED: {
    retry: 'FIX_INPUT',
    description: 'The server runs only trusted documents. Send a `documentId` instead of a document.',
  },
  GRAPHQL_PARSE_FAILED: { retry: 'FIX_INPUT', description: 'The document has a GraphQL syntax error.' },
  GRAPHQL_VALIDATION_FAILED: { retry: 'FIX_INPUT', description: 'The document is not valid for the schema.' },
  SHUTTING_DOWN: { retry: 'SAFE', description: 'The server is shutting down. Retry in a moment.' },
  INTERNAL: {
    retry: 'MAY_CHARGE_AGAIN',
    description:
      'An internal error, or the server cannot store records. The server log has the details by request id.',
  },
} as const satisfies Readonly<Record<string, { readonly retry: RetryAdvice; readonly description: string }>>;

export type ErrorCode = keyof typeof errorCodes;

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code);
}

/** An expected failure that clients may see. All other errors are masked. */
export abstract class ExpectedError extends Error {
  abstract readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  /** The generation that the error concerns. A caller that knows it adds it if it is missing. */
  generationId: string | undefined;
  readonly #retry: RetryAdvice | undefined;
  constructor(message: string, facts: ExpectedErrorFacts = {}) {
    super(message, { cause: facts.cause });
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.generationId = facts.generationId;
    this.#retry = facts.retry;
  }
  override get name(): string {
    return this.constructor.name;
  }
  get retry(): RetryAdvice {
    return this.#retry ?? errorCodes[this.code].retry;
  }
}

export interface ExpectedErrorFacts {
  /** @default the usual advice for the code */
  readonly retry?: RetryAdvice | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly generationId?: string | undefined;
  readonly cause?: unknown;
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
export interface GatewayErrorFacts extends ExpectedErrorFacts {
  /** HTTP status. Absent without a reply. */
  readonly status?: number | undefined;
  readonly upstreamCode?: string | undefined;
}

abstract class UpstreamError extends ExpectedError {
  readonly upstreamCode: string | undefined;
  constructor(message: string, facts: GatewayErrorFacts = {}) {
    super(message, facts);
    this.upstreamCode = facts.upstreamCode;
  }
}

export class AuthenticationError extends UpstreamError {
  readonly code = 'AUTHENTICATION_FAILED';
}

export class QuotaError extends UpstreamError {
  readonly code = 'QUOTA_EXCEEDED';
}

/** The limits of this API for one owner, as clients see them. */
export const limitNames = {
  CREATES_PER_MINUTE: 'Creates per minute.',
  RUNNING: 'Unfinished, trackable generations.',
  CREATES_PER_DAY: 'Creates per day (UTC).',
  TOKENS_PER_DAY: 'Reported tokens per day (UTC).',
  RECORDS: 'Records, if none can be deleted. Not in `viewer`.',
} as const;

export type LimitName = keyof typeof limitNames;

export interface RateLimitFacts extends GatewayErrorFacts {
  /** Absent for a limit of the gateway. */
  readonly limit?: LimitName | undefined;
  /** The setting of a limit that clients do not know by a name. For the log. */
  readonly setting?: string | undefined;
}

export class RateLimitError extends UpstreamError {
  readonly code = 'RATE_LIMITED';
  /** The limit of this API that refused the request. */
  readonly limit: LimitName | undefined;
  readonly setting: string | undefined;
  constructor(message: string, facts: RateLimitFacts = {}) {
    super(message, facts);
    this.limit = facts.limit;
    this.setting = facts.setting;
  }
}

export class GatewayError extends UpstreamError {
  readonly code = 'GATEWAY_ERROR';
  readonly status: number | undefined;
  constructor(message: string, facts: GatewayErrorFacts = {}) {
    super(message, facts);
    this.status = facts.status;
  }
}

/** A create may have been sent, but no reply says whether it was accepted or which id it got. */
export class LostReplyError extends Error {
  override readonly name = 'LostReplyError';
  /** The reply, if it was readable but incomplete. */
  readonly reply: Json | undefined;
  /** Whether a readable reply arrived, but without the outcome. */
  readonly isIncomplete: boolean;
  constructor(
    message: string,
    options: ErrorOptions & { readonly reply?: Json; readonly isIncomplete?: boolean } = {},
  ) {
    super(message, options);
    this.reply = options.reply;
    this.isIncomplete = options.isIncomplete ?? options.reply !== undefined;
  }
}

/** A subscription has not read for so long that changes it has not received are forgotten. Its client must read again. */
export class FeedBehindError extends Error {
  override readonly name = 'FeedBehindError';

  constructor() {
    super('The client is too far behind. Reconnect and read again.');
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
  /** True if the write was rolled back because another transaction held a lock for too long. */
  readonly isLocked: boolean;
  constructor(
    message: string,
    options: ErrorOptions & { readonly isBeforeSending?: boolean; readonly isLocked?: boolean } = {},
  ) {
    super(message, options);
    this.isBeforeSending = options.isBeforeSending ?? false;
    this.isLocked = options.isLocked ?? false;
  }
}

/** The owner has no room for another generation. Nothing was written. */
export class RecordsFullError extends Error {
  override readonly name = 'RecordsFullError';
}

/** What an owner has used of one limit. */
export interface LimitUse {
  readonly limit: Exclude<LimitName, 'RECORDS'>;
  /** Of a limit of creates per day for one kind. */
  readonly kind?: string | undefined;
  readonly max: number;
  readonly used: number;
  /** Creates among them that are being sent: they stop counting if the gateway refuses them. Absent if there are none. */
  readonly unsettled?: number | undefined;
  /** When the count starts again. Absent for running generations. */
  readonly resetsAt?: number | undefined;
  /** The time by the clock that decides when the count starts again. Absent if that is the clock of this server. */
  readonly measuredAt?: number | undefined;
}

/** When a reached limit has room again: at its reset, at any time before that, or never. */
export function roomOf({ max, used, unsettled = 0, resetsAt }: LimitUse): 'reset' | 'any-time' | 'never' {
  if (max === 0) return 'never';
  return resetsAt === undefined || used - unsettled < max ? 'any-time' : 'reset';
}

/** The owner has used a limit. Nothing was written. */
export class LimitReachedError extends Error {
  override readonly name = 'LimitReachedError';
  readonly use: LimitUse;
  constructor(use: LimitUse) {
    super(`the limit ${use.limit} is reached`);
    this.use = use;
  }
}

export class IdempotencyConflictError extends ExpectedError {
  readonly code = 'IDEMPOTENCY_CONFLICT';
  constructor(generationId: string | undefined) {
    super('This idempotency key was used before with another operation or input. Use a new key.', {
      generationId,
    });
  }
}

export class OutcomeUnknownError extends ExpectedError {
  readonly code = 'OUTCOME_UNKNOWN';
  constructor(generationId: string | undefined, cause?: unknown) {
    const lost = cause instanceof LostReplyError ? cause : undefined;
    const problem = lost?.isIncomplete ? 'but its reply is incomplete' : 'but its reply was lost';
    const reason = lost ? ` (${lost.message})` : '';
    super(`The gateway may have accepted this request, ${problem}${reason}. It is not sent again.`, {
      cause,
      generationId,
    });
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
  | 'DETACHED'
  | 'INTERNAL';

/** A stream that failed or cannot be resumed for a reason other than an error of the gateway. */
export class StreamError extends ExpectedError {
  readonly code: StreamErrorCode;
  constructor(code: StreamErrorCode, message: string, facts: ExpectedErrorFacts = {}) {
    super(message, facts);
    this.code = code;
  }
}

export type RequestErrorCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'AUTH_UNAVAILABLE'
  | 'LIMIT_EXCEEDED'
  | 'BAD_REQUEST'
  | 'SHUTTING_DOWN';

/** Rejects a whole request. Appears in the top-level `errors`, not in a result union. */
export class RequestError extends ExpectedError {
  readonly code: ErrorCode;
  /** The setting of the limit that refused the request. For the log. */
  readonly setting: string | undefined;
  constructor(code: RequestErrorCode, message: string, facts: { readonly setting?: string } = {}) {
    super(message);
    this.code = code;
    this.setting = facts.setting;
  }
}

/** `extensions` of a top-level error. Undefined for defects, which are masked. */
export function toErrorExtensions(error: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!(error instanceof ExpectedError)) return undefined;
  const { code, retry, retryAfterSeconds } = error;
  return {
    code,
    retry,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(error instanceof InvalidInputError && { issues: error.issues }),
    ...(error instanceof GatewayError && { status: error.status }),
    ...(error instanceof RateLimitError && error.limit && { limit: error.limit }),
  };
}

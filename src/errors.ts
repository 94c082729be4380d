import type { Json } from './lib/json.ts';
import { type ErrorCode, errorCodes, type RetryAdvice } from './error-codes.ts';

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
  /** @default the most careful advice for the code */
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
  /** Whether the input names something that is missing, and may be there later. */
  readonly isMissing: boolean;
  constructor(issues: readonly InputIssue[], isMissing = false) {
    super(summaryOf(issues));
    this.issues = issues;
    this.isMissing = isMissing;
  }
}

/** Names the first problem, so that a client that shows only the message can act on it. */
function summaryOf(issues: readonly InputIssue[]): string {
  const [first] = issues;
  const problem = first ? `${first.path.join('.')}: ${first.message}` : '';
  return issues.length === 1 ? problem : `${issues.length} problems. ${problem}`;
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

/** The gateway refused the credential of this server. Callers can do nothing about it. */
export class ServerKeyError extends UpstreamError {
  readonly code = 'SERVER_KEY_REFUSED';
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

/** Why nobody knows the outcome of a create. `unknown`: a reply arrived, but none that could be read or recorded. */
const lostReplies = {
  lost: 'its reply was lost',
  incomplete: 'its reply is incomplete',
  unknown: 'its outcome is unknown',
} as const;

/** A create may have been sent, but no reply says whether it was accepted or which id it got. */
export class LostReplyError extends Error {
  override readonly name = 'LostReplyError';
  /** The reply, if it was readable but incomplete. */
  readonly reply: Json | undefined;
  readonly problem: keyof typeof lostReplies;
  constructor(
    message: string,
    options: ErrorOptions & { readonly reply?: Json; readonly problem?: keyof typeof lostReplies } = {},
  ) {
    super(message, options);
    this.reply = options.reply;
    this.problem = options.problem ?? (options.reply === undefined ? 'lost' : 'incomplete');
  }
}

/**
 * The records cannot be read or written now, e.g. on a full disk or without a database. Clients see RECORDS_UNAVAILABLE. Not an
 * ExpectedError: a create that was already sent may have been charged, and the operator must be notified.
 */
export class RecordsUnavailableError extends Error {
  override readonly name = 'RecordsUnavailableError';
  /** True if the write was rolled back because another transaction held a lock for too long. */
  readonly isLocked: boolean;
  /** True if the disk is full, or fails. */
  readonly isDiskFault: boolean;
  constructor(
    message: string,
    options: ErrorOptions & { readonly isLocked?: boolean; readonly isDiskFault?: boolean } = {},
  ) {
    super(message, options);
    this.isLocked = options.isLocked ?? false;
    this.isDiskFault = options.isDiskFault ?? false;
  }
}

/** The store of files fails, or the disk on which files are received. The records themselves may work. */
export class FilesUnavailableError extends RecordsUnavailableError {}

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
  /** @param message as recorded. @default from the cause */
  constructor(generationId: string | undefined, cause?: unknown, message = unknownBecause(cause)) {
    super(message, { cause, generationId });
  }
}

function unknownBecause(cause: unknown): string {
  const lost = cause instanceof LostReplyError ? cause : undefined;
  const reason = lost ? ` (${lost.message})` : '';
  return `The gateway may have accepted this request, but ${lostReplies[lost?.problem ?? 'unknown']}${reason}. It is not sent again.`;
}

export class NotFoundError extends ExpectedError {
  readonly code = 'NOT_FOUND';
}

/** Why a generation cannot be continued, as clients see it. */
export const notContinuableReasons = {
  NOT_A_CHAT: 'Only chats continue.',
  RUNNING: 'It has not ended.',
  PARTIAL_REPLY: 'Failed or canceled: set `continuePartial`.',
  NO_REPLY: 'No reply arrived.',
  UNSUPPORTED_REPLY: 'An invalid tool call, or `functionCall`.',
  MEDIA_NOT_RECORDED: 'Inline media was not recorded.',
  TEXT_NOT_RECORDED: 'A long text was not recorded.',
  ANCESTOR_DELETED: 'An earlier turn was deleted.',
  TOO_MANY_TURNS: 'The thread has 1,000 turns.',
  TOO_LARGE: 'Too many bytes in the thread.',
} as const;

export type NotContinuableReason = keyof typeof notContinuableReasons;

/** `continueFrom` names a generation of the caller that cannot be continued. Nothing was sent. */
export class NotContinuableError extends ExpectedError {
  readonly code = 'NOT_CONTINUABLE';
  readonly reason: NotContinuableReason;
  constructor(reason: NotContinuableReason, message: string, generationId: string) {
    super(message, { generationId, retry: reason === 'RUNNING' ? 'LATER' : 'FIX_INPUT' });
    this.reason = reason;
  }
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
  | 'REQUEST_TIMEOUT'
  | 'SHUTTING_DOWN';

/** Rejects a whole request. Appears in the top-level `errors`, not in a result union. */
export class RequestError extends ExpectedError {
  readonly code: ErrorCode;
  /** The setting of the limit that refused the request. For the log. */
  readonly setting: string | undefined;
  constructor(
    code: RequestErrorCode,
    message: string,
    facts: Pick<ExpectedErrorFacts, 'retry'> & { readonly setting?: string } = {},
  ) {
    super(message, facts);
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

import type { ErrorCode, RetryAdvice } from './documents.generated.ts';

export interface InputIssue {
  readonly path: readonly string[];
  readonly message: string;
  readonly limit: string | null;
  readonly received: string | null;
}

/** An error as a value: a failure that the schema describes, a top-level error, or a connection that cannot be had. */
export interface GengraphProblem {
  /** `CONNECTION_FAILED`: the client could not connect, or gave up. */
  readonly code: ErrorCode | 'CONNECTION_FAILED';
  /** For people. */
  readonly message: string;
  /** How to react. */
  readonly retry: RetryAdvice;
  readonly retryAfterSeconds: number | null;
  /** The problems of an input that breaks a limit. */
  readonly issues?: readonly InputIssue[];
}

/** Converts what an operation threw: the errors of GraphQL, or a close event. */
export function toProblem(cause?: unknown): GengraphProblem {
  const first = (cause as readonly TopLevelError[] | null | undefined)?.[0]; // graphql-ws reports a list.
  if (first?.message !== undefined) {
    // Without advice, it comes from a router, and the outcome is unknown.
    const { code = 'INTERNAL', retry = 'SAME_KEY', retryAfterSeconds = null } = first.extensions ?? {};
    return { code, message: first.message, retry, retryAfterSeconds };
  }
  // A close event has a reason, an error a message.
  const { code, reason, message } = (cause ?? {}) as Partial<CloseEvent & Error>;
  return {
    code: 'CONNECTION_FAILED',
    message: reason || message || 'The server cannot be reached.',
    retry: code === forbidden ? 'AUTHENTICATE' : 'SAME_KEY',
    retryAfterSeconds: null,
  };
}

/** Whether the same request may succeed soon. A connection that cannot be had has other advice. */
export function isTransient({ retry }: GengraphProblem): boolean {
  return retry === 'SAFE' || retry === 'LATER';
}

/** Whether the same call, with its key, can be made again. It is never paid for twice. Any other attempt is another request. */
export function isRepeatable(problem: GengraphProblem | null | undefined): boolean {
  return Boolean(problem && (isTransient(problem) || problem.retry === 'SAME_KEY'));
}

/** Whether nothing is known about the request: the error of a router. */
export function isUnknown({ code, retry }: GengraphProblem): boolean {
  return code !== 'CONNECTION_FAILED' && retry === 'SAME_KEY';
}

/** The code of a close that refuses the credential, or that ends one that has expired. */
export const forbidden = 4403;

interface CloseEvent {
  readonly code: number;
  readonly reason: string;
}

interface TopLevelError {
  readonly message: string;
  readonly extensions?: {
    readonly code?: ErrorCode;
    readonly retry?: RetryAdvice;
    readonly retryAfterSeconds?: number;
  };
}

/** The reactions of a client to an error, with their meaning. They say nothing about earlier requests with the same key. */
export const retryAdvice = {
  FIX_INPUT: 'Change the request: the same one fails again. It was not charged.',
  NEW_KEY: 'Retry with a new idempotency key. This request was not sent or charged.',
  AUTHENTICATE: 'Use another credential, or one with more rights. This request was not charged.',
  ADD_QUOTA: 'Add quota to the account or token. This request was not charged.',
  SAFE: 'This request was not charged. Retry with the same idempotency key.',
  LATER:
    'This request was not charged. Retry with the same idempotency key after `retryAfterSeconds`, or later.',
  SAME_KEY: 'Unknown whether it was charged. Retry with the same idempotency key, never with a new one.',
  MAY_CHARGE_AGAIN: 'A new key may charge again: ask the user first.',
  NEVER: 'A retry is pointless.',
} as const;

export type RetryAdvice = keyof typeof retryAdvice;

/**
 * All error codes, as used in union members, stream ends and `extensions.code`. `retry` is the advice of an error whose origin
 * gives none: the most careful one. `byCause` lists all advice of a code that has several, the usual one first.
 */
export const errorCodes = {
  INVALID_INPUT: {
    retry: 'FIX_INPUT',
    description: 'The input violates documented limits. Nothing was sent or charged.',
  },
  AUTHENTICATION_FAILED: {
    retry: 'AUTHENTICATE',
    byCause: ['AUTHENTICATE', 'MAY_CHARGE_AGAIN'],
    description: 'The gateway rejected the credential or its permissions.',
  },
  SERVER_KEY_REFUSED: {
    retry: 'LATER',
    byCause: ['LATER', 'MAY_CHARGE_AGAIN'],
    description: "The gateway rejected the server's own key.",
  },
  QUOTA_EXCEEDED: {
    retry: 'ADD_QUOTA',
    byCause: ['ADD_QUOTA', 'LATER', 'MAY_CHARGE_AGAIN'],
    description: 'The quota of the key is exhausted.',
  },
  RATE_LIMITED: {
    retry: 'LATER',
    byCause: ['LATER', 'NEVER', 'MAY_CHARGE_AGAIN'],
    description:
      'Too many requests for the gateway (HTTP 429), or a limit of this API. Retry after `retryAfterSeconds`.',
  },
  GATEWAY_ERROR: {
    retry: 'MAY_CHARGE_AGAIN',
    byCause: ['LATER', 'SAFE', 'FIX_INPUT', 'NEVER', 'MAY_CHARGE_AGAIN'],
    description: 'The gateway returned an error or an unreadable reply, or is unreachable.',
  },
  IDEMPOTENCY_CONFLICT: {
    retry: 'NEW_KEY',
    description: 'The idempotency key was used before with another operation or input.',
  },
  OUTCOME_UNKNOWN: {
    retry: 'MAY_CHARGE_AGAIN',
    description: 'The gateway may have charged the request, but its reply was lost.',
  },
  NOT_FOUND: {
    retry: 'NEVER',
    byCause: ['NEVER', 'LATER', 'MAY_CHARGE_AGAIN'],
    description: 'No such object, or it belongs to another caller.',
  },
  NOT_CONTINUABLE: {
    retry: 'FIX_INPUT',
    byCause: ['FIX_INPUT', 'LATER'],
    description: '`continueFrom` cannot be continued. Nothing was sent.',
  },
  NOT_CANCELABLE: {
    retry: 'NEVER',
    byCause: ['NEVER', 'LATER'],
    description: 'The generation cannot be canceled now, or at all: see `retry`.',
  },
  NOT_RESUMABLE: {
    retry: 'MAY_CHARGE_AGAIN',
    description: 'The stream can no longer be followed. It was not started again.',
  },
  INTERRUPTED: {
    retry: 'MAY_CHARGE_AGAIN',
    byCause: ['MAY_CHARGE_AGAIN', 'SAME_KEY'],
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
    byCause: ['AUTHENTICATE', 'SAME_KEY', 'MAY_CHARGE_AGAIN'],
    description: 'The credential or `new-api-user` is missing, not valid or expired.',
  },
  FORBIDDEN: {
    retry: 'AUTHENTICATE',
    byCause: ['AUTHENTICATE', 'FIX_INPUT', 'NEVER'],
    description: 'The token lacks a scope, or the server forbids it.',
  },
  AUTH_UNAVAILABLE: {
    retry: 'SAFE',
    description:
      'Tokens cannot be checked now: the key set of their issuer cannot be read or lacks a new key.',
  },
  LIMIT_EXCEEDED: {
    retry: 'FIX_INPUT',
    byCause: ['FIX_INPUT', 'MAY_CHARGE_AGAIN'],
    description: 'The operation exceeds a limit of this API, such as depth or page size.',
  },
  BAD_REQUEST: {
    retry: 'FIX_INPUT',
    byCause: ['FIX_INPUT', 'LATER', 'MAY_CHARGE_AGAIN'],
    description: 'A malformed request, or an invalid argument such as a cursor.',
  },
  REQUEST_TIMEOUT: { retry: 'LATER', description: 'The body of the request arrived too slowly.' },
  PERSISTED_DOCUMENT_NOT_FOUND: {
    retry: 'FIX_INPUT',
    description: 'No trusted document has this `documentId`.',
  },
  PERSISTED_DOCUMENT_ID_REQUIRED: {
    retry: 'FIX_INPUT',
    description: 'The server runs only trusted documents. Send a `documentId`.',
  },
  GRAPHQL_PARSE_FAILED: { retry: 'FIX_INPUT', description: 'The document has a GraphQL syntax error.' },
  GRAPHQL_VALIDATION_FAILED: {
    retry: 'FIX_INPUT',
    byCause: ['FIX_INPUT', 'MAY_CHARGE_AGAIN'],
    description: 'The document is not valid for the schema.',
  },
  SHUTTING_DOWN: { retry: 'SAFE', description: 'The server is shutting down. Retry in a moment.' },
  RECORDS_UNAVAILABLE: {
    retry: 'SAME_KEY',
    byCause: ['SAME_KEY', 'LATER', 'MAY_CHARGE_AGAIN'],
    description: 'The server cannot read or write its records now.',
  },
  INTERNAL: {
    retry: 'MAY_CHARGE_AGAIN',
    byCause: ['MAY_CHARGE_AGAIN', 'LATER'],
    description: 'An internal error. The server log has the details by request id.',
  },
} as const satisfies Readonly<Record<string, CodeFacts>>;

interface CodeFacts {
  readonly retry: RetryAdvice;
  readonly byCause?: readonly RetryAdvice[];
  readonly description: string;
}

export type ErrorCode = keyof typeof errorCodes;

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code);
}

import { type ExecutionResult, GraphQLError } from 'graphql';
import { errorCodes, isErrorCode, retryAdvice } from '../../error-codes.ts';
import { RecordsUnavailableError, toErrorExtensions } from '../../errors.ts';
import type { Log } from '../../lib/log.ts';
import { limitErrors } from '../sending/answer-errors.ts';
import { shortenMessage } from './coercion-errors.ts';
import { limitError } from './operation-limits.ts';
import { rewriteError } from './rewrite-error.ts';

export interface MaskContext {
  readonly requestId: string;
  readonly engine: { readonly log: Log };
  /** Whether the failed part of the operation may have sent a create. Absent before the operation runs. */
  readonly mayCharge?: (error: GraphQLError) => boolean;
}

export function maskErrors(result: ExecutionResult, context: MaskContext): ExecutionResult {
  if (!result.errors) return result;
  const errors = result.errors.map((error) => maskError(error, context));
  const createError = (message: string): GraphQLError => withAdvice(limitError(message), context.requestId);
  return { ...result, errors: limitErrors(errors, createError) };
}

/** Masks an error thrown outside a field resolver. */
export function maskThrown(error: unknown, context: MaskContext): GraphQLError {
  if (error instanceof GraphQLError) return maskError(error, context);
  const originalError = error instanceof Error ? error : new Error(String(error));
  return maskError(new GraphQLError(originalError.message, { originalError }), context);
}

/** Expected errors keep their message and get their code. Other errors are logged once; the client sees only the request id. */
function maskError(error: GraphQLError, context: MaskContext): GraphQLError {
  const { requestId } = context;
  const { originalError } = error;
  const expected = toErrorExtensions(originalError);
  if (expected) return rewriteError(error, { extensions: { ...expected, requestId } });
  // Thrown by graphql-js (variable or argument coercion, syntax, validation) or by a scalar.
  if (!originalError || originalError instanceof GraphQLError) {
    const extensions = { code: 'BAD_REQUEST', ...error.extensions };
    return withAdvice(rewriteError(error, { message: shortenMessage(error.message), extensions }), requestId);
  }
  return maskDefect(error, originalError, context);
}

function maskDefect(error: GraphQLError, cause: Error, context: MaskContext): GraphQLError {
  const { requestId, engine } = context;
  const isAway = cause instanceof RecordsUnavailableError;
  const line = isAway ? 'the records are unavailable' : 'defect';
  engine.log.error({ err: cause, requestId, path: error.path }, `operation failed: ${line}`);
  const logged = `Find it in the server log by request id ${requestId}.`;
  if (isAway) {
    // Without the records, no answer about money is known: an earlier attempt may have been sent.
    const code = 'RECORDS_UNAVAILABLE';
    const { retry } = errorCodes[code];
    const message = `The server cannot read or write its records now. ${retryAdvice[retry]} ${logged}`;
    return rewriteError(error, { message, extensions: { code, retry, requestId } });
  }
  const mayBeCharged = context.mayCharge?.(error) ?? false;
  const advice = internalErrorAdvice[mayBeCharged ? 'mayBeCharged' : 'notCharged'];
  const retry = mayBeCharged ? errorCodes.INTERNAL.retry : 'LATER';
  const message = `Internal error. ${logged} ${advice}`;
  return rewriteError(error, { message, extensions: { code: 'INTERNAL', retry, requestId } });
}

const internalErrorAdvice = {
  mayBeCharged:
    'The request may already be charged. Repeat it only with the same idempotency key; without one, check `generations` first.',
  notCharged: 'Try again later.',
} as const;

/** Adds the retry advice for its code and the request id to an error that has a code. */
export function withAdvice(error: GraphQLError, requestId: string): GraphQLError {
  const { code, retry } = error.extensions;
  if (!isErrorCode(code)) return error;
  const extensions = { ...error.extensions, retry: retry ?? errorCodes[code].retry, requestId };
  return rewriteError(error, { extensions });
}

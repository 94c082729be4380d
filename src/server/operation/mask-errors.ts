import { type ExecutionResult, GraphQLError } from 'graphql';
import { errorCodes, isErrorCode, type RetryAdvice, retryAdvice } from '../../error-codes.ts';
import { FilesUnavailableError, RecordsUnavailableError, toErrorExtensions } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import type { Log } from '../../lib/log.ts';
import { toError } from '../../lib/thrown.ts';
import { limitErrors } from '../sending/answer-errors.ts';
import { shortenMessage } from './coercion-errors.ts';
import type { FailedPart } from './find-create-fields.ts';
import { limitError } from './operation-limits.ts';
import { rewriteError } from './rewrite-error.ts';

export interface MaskContext {
  readonly requestId: string;
  readonly engine: { readonly log: Log };
  /** What failed. Absent before the operation runs. */
  readonly findFailedPart?: (error: GraphQLError) => FailedPart;
}

/** Masks the errors of an execution. The budget tells which of them came after a create was sent. */
export function maskErrors(
  result: ExecutionResult,
  context: MaskContext,
  budget: Pick<Context['budget'], 'error' | 'unreportedItems'>,
): ExecutionResult {
  if (!result.errors) return result;
  const errors = result.errors.map((error) => {
    const masked = maskError(error, context);
    const isInAnswer = (error.path?.length ?? 0) > 1 || error.originalError === budget.error;
    return isInAnswer ? afterCreate(masked, context) : masked;
  });
  const createError = (message: string): GraphQLError => withAdvice(limitError(message), context.requestId);
  return { ...result, errors: limitErrors(errors, budget.unreportedItems, createError) };
}

/**
 * What is wrong with the selection of a create, or with the size of its answer, shows only after the create was sent. So does a
 * defect.
 */
export function afterCreate(error: GraphQLError, { findFailedPart }: MaskContext): GraphQLError {
  const { code, retry } = error.extensions;
  if (retry !== 'FIX_INPUT' && code !== 'INTERNAL') return error;
  const part = findFailedPart?.(error);
  if (part === undefined || part === 'no create') return error;
  return rewriteError(error, { extensions: { ...error.extensions, retry: 'MAY_CHARGE_AGAIN' } });
}

/** Masks an error thrown outside a field resolver. */
export function maskThrown(error: unknown, context: MaskContext): GraphQLError {
  if (error instanceof GraphQLError) return maskError(error, context);
  const originalError = toError(error);
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
  const part = context.findFailedPart?.(error);
  if (isAway) {
    const { retry, advice } = recordsAdvice(part, error);
    const message = `The server cannot read or write its records now. ${advice} ${logged}`;
    const extensions = { code: 'RECORDS_UNAVAILABLE', retry, requestId };
    return rewriteError(error, { message, extensions, origin: cause });
  }
  const mayBeCharged = part !== undefined && part !== 'no create';
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

interface Advice {
  readonly retry: RetryAdvice;
  readonly advice: string;
}

/**
 * Without the records, the outcome of an earlier attempt with the same key is unknown. A create without a key has none, and if it
 * was sent, it fails with OUTCOME_UNKNOWN instead. Only a field below it can fail afterwards. A create with an operation id may
 * have been sent, unless its files failed, but its client has no key to repeat.
 */
function recordsAdvice(part: FailedPart | undefined, { path, originalError }: GraphQLError): Advice {
  if (part === 'no create')
    return { retry: 'LATER', advice: 'This request charged nothing: try again later.' };
  if (part === undefined || part === 'create with a key')
    return { retry: 'SAME_KEY', advice: retryAdvice.SAME_KEY };
  const isUnsent = part === 'create without a key' || originalError instanceof FilesUnavailableError;
  if (isUnsent && path?.length === 1)
    return { retry: 'LATER', advice: 'Nothing was sent or charged. Try again later.' };
  const sent = part === 'create without a key' ? 'was sent' : 'may have been sent';
  return { retry: 'MAY_CHARGE_AGAIN', advice: `The create ${sent}: find it in \`generations\`.` };
}

/** Adds the retry advice for its code and the request id to an error that has a code. */
export function withAdvice(error: GraphQLError, requestId: string): GraphQLError {
  const { code, retry } = error.extensions;
  if (!isErrorCode(code)) return error;
  const extensions = { ...error.extensions, retry: retry ?? errorCodes[code].retry, requestId };
  return rewriteError(error, { extensions });
}

import { type ExecutionResult, GraphQLError } from 'graphql';
import { RequestError } from '../../errors.ts';
import type { Refused } from '../operation/operation.ts';
import { rewriteError } from '../operation/rewrite-error.ts';

/** Status and headers of a reply, as in the `http` extension of errors that Yoga reads. */
export interface HttpStatus {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the status is one of GraphQL over HTTP, which replies of type `application/json` do not have. */
  readonly spec?: boolean;
}

/** Of an operation that is not executed. */
export function statusOfRefused({ by, cause }: Refused): HttpStatus {
  if (by === 'document') return { status: 400, spec: true };
  if (!(cause instanceof RequestError)) return { status: 500 };
  if (cause.code === 'AUTH_UNAVAILABLE') return { status: 503, headers: { 'retry-after': '1' } };
  if (cause.code !== 'UNAUTHENTICATED') return { status: 400 };
  return { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } };
}

/** Of an executed operation. One that was refused as a whole has the status of its error, as if it were refused before. */
export function statusOfResult({ data, errors = [] }: ExecutionResult): HttpStatus | undefined {
  const limited = errors.find(({ extensions }) => extensions['code'] === 'RATE_LIMITED');
  if (data !== undefined || !limited) return undefined;
  const { retryAfterSeconds } = limited.extensions;
  // The gateway may name no time, or a part of a second.
  return typeof retryAfterSeconds === 'number'
    ? { status: 429, headers: { 'retry-after': String(Math.ceil(retryAfterSeconds)) } }
    : { status: 429 };
}

/** Of an answer. One without data, such as to invalid variables, is no success (GraphQL over HTTP, section 6.4.2). */
export function statusOfAnswer(result: ExecutionResult): HttpStatus | undefined {
  const { data, errors = [] } = result;
  if (data !== undefined || errors.length === 0) return undefined;
  const isDefect = errors.some(({ extensions }) => extensions['code'] === 'INTERNAL');
  return statusOfResult(result) ?? { status: isDefect ? 500 : 400, spec: true };
}

/** The errors for Yoga. */
export function withStatus(
  errors: readonly GraphQLError[],
  http: HttpStatus | undefined,
): readonly GraphQLError[] {
  if (!http) return errors;
  return errors.map((error) => rewriteError(error, { extensions: { ...error.extensions, http } }));
}

/** An error of a request that is well-formed, but that its method or its media types do not allow. */
export function badRequest(message: string, status: 400 | 405 | 406): GraphQLError {
  const headers = status === 405 ? { allow: 'POST' } : {};
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status, headers } } });
}

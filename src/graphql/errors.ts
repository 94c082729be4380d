import { mapMembers } from '../lib/members.ts';
import { errorCodes, retryAdvice } from '../error-codes.ts';
import {
  AuthenticationError,
  type ExpectedError,
  GatewayError,
  IdempotencyConflictError,
  type InputIssue,
  InvalidInputError,
  limitNames,
  NotCancelableError,
  NotContinuableError,
  NotFoundError,
  OutcomeUnknownError,
  QuotaError,
  RateLimitError,
  ServerKeyError,
  StreamError,
} from '../errors.ts';
import { notContinuableReasonEnum } from './not-continuable-reason.ts';
import type { Graph } from './graph.ts';
import { nullable } from './field-options.ts';
import { generationRef } from './refs.ts';
import { shareable } from './subgraph/shareable.ts';
import { shared } from './shared-descriptions.ts';

export function errorCodeEnum({ builder }: Graph) {
  return builder.enumType('ErrorCode', {
    description: 'For programs. Also `extensions.code` of top-level errors.',
    values: mapMembers(errorCodes, ({ description }) => ({ description })),
  });
}

export function retryAdviceEnum({ builder }: Graph) {
  return builder.enumType('RetryAdvice', {
    description: 'Also `extensions.retry` of top-level errors.',
    values: mapMembers(retryAdvice, (description) => ({ description })),
  });
}

export function limitNameEnum({ builder }: Graph) {
  return builder.enumType('LimitName', {
    description: 'Limit for one caller.',
    values: mapMembers(limitNames, (description) => ({ description })),
  });
}

/** The members of an error, as the value of a field. */
export type ErrorFacts = Pick<
  ExpectedError,
  'name' | 'message' | 'code' | 'retry' | 'retryAfterSeconds' | 'generationId'
>;

/** Copies an error's members, because graphql-js throws a field value that is an Error. */
export function toErrorFacts(error: ExpectedError, generationId = error.generationId): ErrorFacts {
  const { name, message, code, retry } = error;
  return Object.assign({ name, message, code, retry }, error, { generationId });
}

export function gengraphErrorRef({ builder, use }: Graph) {
  return builder.interfaceRef<ErrorFacts>('GengraphError').implement({
    description: "An expected failure. `upstreamCode` is the gateway's error code, if any.",
    fields: (t) => ({
      message: t.exposeString('message', {
        description: shared.message,
      }),
      code: t.expose('code', { type: use(errorCodeEnum) }),
      retry: t.expose('retry', { type: use(retryAdviceEnum), description: 'How to react.' }),
      retryAfterSeconds: t.exposeFloat('retryAfterSeconds', nullable('Minimum wait.')),
      requestId: t.string({
        description: 'Header `x-request-id`.',
        resolve: (_error, _args, { requestId }) => requestId,
      }),
      generation: t.field({
        type: use(generationRef),
        ...nullable('Affected generation.'),
        resolve: async ({ generationId }, _args, { loaders }) =>
          generationId === undefined ? null : ((await loaders.generation.load(generationId)) ?? null),
      }),
    }),
    resolveType: (error) => error.name,
  });
}

function inputIssueRef({ builder }: Graph) {
  return builder.objectRef<InputIssue>('InputIssue').implement({
    description: 'One violated limit or rule.',
    extensions: shareable,
    fields: (t) => ({
      path: t.exposeStringList('path', {
        description: 'Such as `["input", "messages", "0", "content"]`.',
      }),
      message: t.exposeString('message', { description: 'Problem, for people.' }),
      limit: t.exposeString('limit', nullable('Allowed values, e.g. `at most 2`.')),
      received: t.exposeString(
        'received',
        nullable('Abbreviated value, or the length of long text or a list.'),
      ),
    }),
  });
}

/** Adds the object types of all expected errors. */
export function addErrors({ builder, use }: Graph): void {
  const interfaces = [use(gengraphErrorRef)];
  const upstreamCode = nullable(shared.upstreamCode);
  const plainErrors = [
    [ServerKeyError, "Code SERVER_KEY_REFUSED. The caller's token is fine."],
    [
      IdempotencyConflictError,
      'Code IDEMPOTENCY_CONFLICT. Nothing was sent. `generation` is from the first use.',
    ],
    [
      OutcomeUnknownError,
      'Code OUTCOME_UNKNOWN. The idempotency key stays in use. `generation` has status UNKNOWN.',
    ],
    [NotFoundError, 'Code NOT_FOUND.'],
    [NotCancelableError, 'Code NOT_CANCELABLE.'],
    [StreamError, 'A stream was interrupted or cannot be followed.'],
  ] as const;
  for (const [error, description] of plainErrors)
    builder.objectType(error, { name: error.name, description, interfaces });
  const refusals = [
    [AuthenticationError, 'Code AUTHENTICATION_FAILED.'],
    [QuotaError, 'Code QUOTA_EXCEEDED.'],
  ] as const;
  for (const [error, description] of refusals)
    builder.objectType(error, {
      name: error.name,
      description,
      interfaces,
      fields: (t) => ({ upstreamCode: t.exposeString('upstreamCode', upstreamCode) }),
    });
  builder.objectType(InvalidInputError, {
    name: 'InvalidInputError',
    description: 'Code INVALID_INPUT.',
    interfaces,
    fields: (t) => ({
      issues: t.expose('issues', {
        type: [use(inputIssueRef)],
        description: 'All problems, in order of path.',
      }),
    }),
  });
  builder.objectType(RateLimitError, {
    name: 'RateLimitError',
    description: 'Code RATE_LIMITED.',
    interfaces,
    fields: (t) => ({
      upstreamCode: t.exposeString('upstreamCode', upstreamCode),
      limit: t.expose('limit', {
        type: use(limitNameEnum),
        ...nullable('Null: a limit of the gateway. See `viewer`.'),
      }),
    }),
  });
  builder.objectType(GatewayError, {
    name: 'GatewayError',
    description: 'Code GATEWAY_ERROR.',
    interfaces,
    fields: (t) => ({
      // Not named `status`: in a selection on a union, it would conflict with the type of `Generation.status`.
      httpStatus: t.exposeInt('status', nullable('Null without a reply.')),
      upstreamCode: t.exposeString('upstreamCode', upstreamCode),
    }),
  });
  builder.objectType(NotContinuableError, {
    name: 'NotContinuableError',
    description: 'Code NOT_CONTINUABLE.',
    interfaces,
    fields: (t) => ({
      reason: t.expose('reason', { type: use(notContinuableReasonEnum) }),
    }),
  });
}

/** The errors that every create can return. */
export const createErrors = [
  InvalidInputError,
  AuthenticationError,
  ServerKeyError,
  QuotaError,
  RateLimitError,
  GatewayError,
  IdempotencyConflictError,
  OutcomeUnknownError,
];

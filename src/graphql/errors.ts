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
import { generationRef } from './refs.ts';
import { shareable } from './subgraph/shareable.ts';

export function errorCodeEnum({ builder }: Graph) {
  return builder.enumType('ErrorCode', {
    description: 'Also `extensions.code` of top-level errors.',
    values: mapMembers(errorCodes, ({ description }, value) => ({ value, description })),
  });
}

export function retryAdviceEnum({ builder }: Graph) {
  return builder.enumType('RetryAdvice', {
    description: 'Also `extensions.retry` of top-level errors.',
    values: mapMembers(retryAdvice, (description, value) => ({ value, description })),
  });
}

export function limitNameEnum({ builder }: Graph) {
  return builder.enumType('LimitName', {
    description: 'Limit for one caller.',
    values: mapMembers(limitNames, (description, value) => ({ value, description })),
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
    description: 'An expected failure.',
    fields: (t) => ({
      message: t.exposeString('message', {
        description: 'For people.',
      }),
      code: t.field({
        type: use(errorCodeEnum),
        description: 'For programs.',
        resolve: ({ code }) => code,
      }),
      retry: t.field({
        type: use(retryAdviceEnum),
        description: 'How to react.',
        resolve: ({ retry }) => retry,
      }),
      retryAfterSeconds: t.exposeFloat('retryAfterSeconds', {
        nullable: true,
        description: 'Minimum wait.',
      }),
      requestId: t.string({
        description: 'Header `x-request-id`.',
        resolve: (_error, _args, { requestId }) => requestId,
      }),
      generation: t.field({
        type: use(generationRef),
        nullable: true,
        description: 'Affected generation.',
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
      limit: t.exposeString('limit', { nullable: true, description: 'Allowed values, e.g. `at most 2`.' }),
      received: t.exposeString('received', {
        nullable: true,
        description: 'Abbreviated value, or the length of long text or a list.',
      }),
    }),
  });
}

/** Adds the object types of all expected errors. */
export function addErrors(graph: Graph): void {
  addInputError(graph);
  addRefusals(graph);
  addGatewayError(graph);
  addPlainErrors(graph);
}

function addInputError({ builder, use }: Graph): void {
  builder.objectType(InvalidInputError, {
    name: 'InvalidInputError',
    description: 'The input violates documented limits. Nothing was sent or charged.',
    interfaces: [use(gengraphErrorRef)],
    fields: (t) => ({
      issues: t.field({
        type: [use(inputIssueRef)],
        description: 'All problems, in order of path.',
        resolve: ({ issues }) => [...issues],
      }),
    }),
  });
}

const upstreamCode = {
  nullable: true,
  description: "The gateway's error code, if any.",
} as const;

function addRefusals({ builder, use }: Graph): void {
  const interfaces = [use(gengraphErrorRef)];
  builder.objectType(AuthenticationError, {
    name: 'AuthenticationError',
    description: 'The gateway rejected the credential or its permissions. Nothing was charged.',
    interfaces,
    fields: (t) => ({ upstreamCode: t.exposeString('upstreamCode', upstreamCode) }),
  });
  builder.objectType(QuotaError, {
    name: 'QuotaError',
    description: 'The quota of the key is too small. Nothing was charged.',
    interfaces,
    fields: (t) => ({ upstreamCode: t.exposeString('upstreamCode', upstreamCode) }),
  });
  builder.objectType(RateLimitError, {
    name: 'RateLimitError',
    description: 'Too many requests (HTTP 429), or a limit of this API. Nothing was charged.',
    interfaces,
    fields: (t) => ({
      upstreamCode: t.exposeString('upstreamCode', upstreamCode),
      limit: t.expose('limit', {
        type: use(limitNameEnum),
        nullable: true,
        description: 'Null: of the gateway. See `viewer`.',
      }),
    }),
  });
}

function addGatewayError({ builder, use }: Graph): void {
  builder.objectType(GatewayError, {
    name: 'GatewayError',
    description: 'The gateway returned an error or an unreadable reply, or is unreachable.',
    interfaces: [use(gengraphErrorRef)],
    fields: (t) => ({
      // Not named `status`: in a selection on a union, it would conflict with the type of `Generation.status`.
      httpStatus: t.exposeInt('status', {
        nullable: true,
        description: 'Null without a reply.',
      }),
      upstreamCode: t.exposeString('upstreamCode', upstreamCode),
    }),
  });
}

function addPlainErrors({ builder, use }: Graph): void {
  const interfaces = [use(gengraphErrorRef)];
  builder.objectType(ServerKeyError, {
    name: 'ServerKeyError',
    description: "The gateway rejected the server's own key. The caller's token is fine.",
    interfaces,
  });
  builder.objectType(IdempotencyConflictError, {
    name: 'IdempotencyConflictError',
    description:
      'The idempotency key was used with another operation or input. Nothing was sent. `generation` is from the first use.',
    interfaces,
  });
  builder.objectType(OutcomeUnknownError, {
    name: 'OutcomeUnknownError',
    description:
      'The gateway may have charged the request, but its reply was lost. The idempotency key stays in use. `generation` has status UNKNOWN.',
    interfaces,
  });
  builder.objectType(NotFoundError, {
    name: 'NotFoundError',
    description: 'No such object, or it belongs to another caller.',
    interfaces,
  });
  builder.objectType(NotCancelableError, {
    name: 'NotCancelableError',
    description: 'The generation cannot be canceled now, or at all: see `retry`.',
    interfaces,
  });
  builder.objectType(NotContinuableError, {
    name: 'NotContinuableError',
    description: '`continueFrom` cannot be continued.',
    interfaces,
    fields: (t) => ({
      reason: t.expose('reason', { type: use(notContinuableReasonEnum), description: 'For programs.' }),
    }),
  });
  builder.objectType(StreamError, {
    name: 'StreamError',
    description: 'A stream was interrupted or cannot be followed.',
    interfaces,
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

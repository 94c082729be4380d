import {
  AuthenticationError,
  type ErrorCode,
  errorCodes,
  type ExpectedError,
  GatewayError,
  IdempotencyConflictError,
  type InputIssue,
  InvalidInputError,
  NotCancelableError,
  NotFoundError,
  OutcomeUnknownError,
  QuotaError,
  RateLimitError,
  StreamError,
} from '../errors.ts';
import type { Generation } from '../store/records.ts';
import type { Graph } from './graph.ts';
import type { Context } from './context.ts';
import { generationRef } from './refs.ts';
import { shareable } from './subgraph/shareable.ts';

export function errorCodeEnum({ builder }: Graph) {
  return builder.enumType('ErrorCode', {
    description: 'What went wrong. The same words appear as `extensions.code` of top-level errors.',
    values: Object.fromEntries(
      Object.entries(errorCodes).map(([code, description]) => [code, { value: code, description }]),
    ) as {
      // Object.fromEntries returns string keys.
      [Code in ErrorCode]: { value: Code; description: string };
    },
  });
}

/** The members of an error, as the value of a field. */
export type ErrorFacts = Pick<ExpectedError, 'name' | 'message' | 'code'>;

/** Copies an error's members: graphql-js throws a field's value that is an Error. */
export function toErrorFacts(error: ExpectedError): ErrorFacts {
  const { name, message, code } = error;
  return Object.assign({ name, message, code }, error);
}

export function gengraphErrorRef({ builder, use }: Graph) {
  return builder.interfaceRef<ErrorFacts>('GengraphError').implement({
    description: 'An expected failure that a client can act on.',
    fields: (t) => ({
      message: t.exposeString('message', {
        description: 'For people: what happened, to what, what to do. Never holds a credential.',
      }),
      code: t.field({
        type: use(errorCodeEnum),
        description: 'What went wrong, as one word for programs.',
        resolve: (error) => error.code,
      }),
    }),
    resolveType: (error) => error.name,
  });
}

export function inputIssueRef({ builder }: Graph) {
  return builder.objectRef<InputIssue>('InputIssue').implement({
    description: 'One broken limit or rule.',
    extensions: shareable,
    fields: (t) => ({
      path: t.exposeStringList('path', {
        description: 'From the argument to the member, e.g. `["input", "messages", "0", "content"]`.',
      }),
      message: t.exposeString('message', { description: 'What is wrong, for people.' }),
      limit: t.exposeString('limit', {
        nullable: true,
        description: 'What would be right, e.g. `at most 2`.',
      }),
      received: t.exposeString('received', {
        nullable: true,
        description: 'What came, abbreviated; for long text its length.',
      }),
    }),
  });
}

/** Adds the object types of all expected errors. */
export function addErrors(graph: Graph): void {
  addInputError(graph);
  addRefusals(graph);
  addGatewayError(graph);
  addCreateErrors(graph);
  addPlainErrors(graph);
}

function addInputError({ builder, use }: Graph): void {
  const interfaces = [use(gengraphErrorRef)];
  builder.objectType(InvalidInputError, {
    name: 'InvalidInputError',
    description:
      'The input breaks documented limits. All problems at once; nothing was sent, nothing spent, no key taken.',
    interfaces,
    fields: (t) => ({
      issues: t.field({
        type: [use(inputIssueRef)],
        description: 'Every problem, in order of path.',
        resolve: (error) => [...error.issues],
      }),
    }),
  });
}

function addRefusals({ builder, use }: Graph): void {
  const interfaces = [use(gengraphErrorRef)];
  builder.objectType(AuthenticationError, {
    name: 'AuthenticationError',
    description:
      'The gateway refused the credential (HTTP 401), or it may not do what was asked (403). Nothing was spent.',
    interfaces,
    fields: (t) => ({
      upstreamCode: t.exposeString('upstreamCode', {
        nullable: true,
        description: "The gateway's own code for it, where it sent one.",
      }),
    }),
  });
  builder.objectType(QuotaError, {
    name: 'QuotaError',
    description: "The access token's quota does not suffice. Nothing was spent.",
    interfaces,
    fields: (t) => ({
      upstreamCode: t.exposeString('upstreamCode', {
        nullable: true,
        description: "The gateway's own code for it, where it sent one.",
      }),
    }),
  });
  builder.objectType(RateLimitError, {
    name: 'RateLimitError',
    description:
      'Too many requests in a short time (HTTP 429). Nothing was spent; the idempotency key is free again.',
    interfaces,
    fields: (t) => ({
      retryAfterSeconds: t.exposeFloat('retryAfterSeconds', {
        nullable: true,
        description: 'How many seconds the gateway asks to wait; null where it does not say.',
      }),
      upstreamCode: t.exposeString('upstreamCode', {
        nullable: true,
        description: "The gateway's own code for it, where it sent one.",
      }),
    }),
  });
}

function addGatewayError({ builder, use }: Graph): void {
  const interfaces = [use(gengraphErrorRef)];
  builder.objectType(GatewayError, {
    name: 'GatewayError',
    description:
      'The gateway answered with an error, with something that cannot be read, or could not be reached.',
    interfaces,
    fields: (t) => ({
      httpStatus: t.exposeInt('status', {
        nullable: true,
        description:
          "HTTP status of the gateway's reply; null when none came. Not named `status`: in one selection on a result that would clash with `Generation.status`, which is of another type.",
      }),
      upstreamCode: t.exposeString('upstreamCode', {
        nullable: true,
        description: "The gateway's own code for it, where it sent one.",
      }),
      retryable: t.exposeBoolean('isRetryable', {
        description: 'Whether the same request may succeed later.',
      }),
      retryAfterSeconds: t.exposeFloat('retryAfterSeconds', {
        nullable: true,
        description: 'How many seconds the gateway asks to wait; null where it does not say.',
      }),
    }),
  });
}

function addCreateErrors({ builder, use }: Graph): void {
  const interfaces = [use(gengraphErrorRef)];
  builder.objectType(IdempotencyConflictError, {
    name: 'IdempotencyConflictError',
    description: 'The idempotency key belongs to another operation or other input. Nothing was sent.',
    interfaces,
    fields: (t) => ({
      generation: t.field({
        type: use(generationRef),
        nullable: true,
        description: 'What the key made; null where that is no generation (`createToken`, `cloneVoice`).',
        resolve: ({ generationId }, _args, context) => findGeneration(generationId, context),
      }),
    }),
  });
  builder.objectType(OutcomeUnknownError, {
    name: 'OutcomeUnknownError',
    description:
      'The request may have been accepted, and paid for, but its reply was lost. It is not sent again: the key stays taken. To try anew, use a new key.',
    interfaces,
    fields: (t) => ({
      generation: t.field({
        type: use(generationRef),
        nullable: true,
        description:
          'Its record, with status UNKNOWN; null where no generation is made (`createToken`, `cloneVoice`).',
        resolve: ({ generationId }, _args, context) => findGeneration(generationId, context),
      }),
    }),
  });
}

function addPlainErrors({ builder, use }: Graph): void {
  const interfaces = [use(gengraphErrorRef)];
  builder.objectType(NotFoundError, {
    name: 'NotFoundError',
    description: 'No such record, or not one of this caller.',
    interfaces,
  });
  builder.objectType(NotCancelableError, {
    name: 'NotCancelableError',
    description:
      'Work of this kind cannot be cancelled through this API, or the gateway gave no address for it that this API may follow.',
    interfaces,
  });
  builder.objectType(StreamError, {
    name: 'StreamError',
    description:
      'A stream broke off, was stopped or cannot be followed; the `code` tells which: STREAM_CUT, STREAM_UNFINISHED, STREAM_STALLED, INTERRUPTED, DETACHED, NOT_RESUMABLE.',
    interfaces,
  });
}

/** The expected errors of every create. */
export const createErrors = [
  InvalidInputError,
  AuthenticationError,
  QuotaError,
  RateLimitError,
  GatewayError,
  IdempotencyConflictError,
  OutcomeUnknownError,
];

async function findGeneration(id: string | undefined, context: Context): Promise<Generation | null> {
  return id === undefined ? null : ((await context.loaders.generation.load(id)) ?? null);
}

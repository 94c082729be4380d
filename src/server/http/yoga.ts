import type { IncomingMessage } from 'node:http';
import { type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { type ErrorCode, isErrorCode } from '../../error-codes.ts';
import type { Context } from '../../graphql/context.ts';
import type { Engine } from '../../generations/engine.ts';
import { atTime } from '../../lib/at-time.ts';
import { acceptsAny } from '../../lib/media-ranges.ts';
import type { Clock } from '../../lib/clock.ts';
import type { OperationArgs } from '../operation/execution.ts';
import { withAdvice } from '../operation/mask-errors.ts';
import {
  isRefused,
  type Operation,
  type OperationOptions,
  type ReceivedParams,
} from '../operation/operation.ts';
import { rewriteError } from '../operation/rewrite-error.ts';
import { isOpen, toWritten } from '../operation/subscription.ts';
import { idsOf } from '../operation/trusted-documents.ts';
import { withBackpressure } from '../sending/backpressure.ts';
import { writeLarge } from '../sending/large-answers.ts';
import type { TrackedResponse } from '../sending/tracked-response.ts';
import { eventReplies, findFraming } from './event-replies.ts';
import { useExactIntegers } from './exact-integers.ts';
import { badRequest, statusOfAnswer, statusOfRefused, withStatus } from './http-status.ts';

/** A GraphQL request whose operation is admitted. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: TrackedResponse;
  readonly operation: Operation;
  /** The body of a POST. @throws SyntaxError if it is not JSON */
  readonly readJson: () => unknown;
}

/** Passed to Yoga with each GraphQL request. */
export interface ServerContext extends Exchange, Record<string, unknown> {
  /** Present if its document is known already. */
  readonly prepared?: OperationArgs;
}

interface YogaHandlerOptions extends Pick<OperationOptions, 'schema' | 'engine'> {
  readonly clock: Clock;
}

/** GraphQL over HTTP in all forms. Subscriptions by POST are answered with server-sent events or parts. */
export function createYogaHandler({ schema, engine, clock }: YogaHandlerOptions) {
  return createYoga<ServerContext>({
    schema,
    graphqlEndpoint: '/graphql',
    plugins: [
      useExactIntegers(),
      useMaskedParseErrors(),
      useDocumentIds(),
      useOperation(clock),
      useDocumentedCodes(),
    ],
    extraParamNames: ['documentId'],
    cors: false,
    // `readBody` limits it.
    maxRequestBodySize: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    parserAndValidationCache: false,
    logging: toYogaLog(engine),
  });
}

/** Answers a malformed request with BAD_REQUEST, without quoting it. */
function useMaskedParseErrors(): Plugin {
  return {
    onRequestParse({ requestParser, setRequestParser }) {
      if (!requestParser) return;
      setRequestParser(async (request) => {
        try {
          return await requestParser(request);
        } catch (error) {
          // Yoga's own message, e.g. for a wrong JSON type or size.
          if (error instanceof GraphQLError && error.extensions['originalError'] === undefined) throw error;
          throw badRequest(
            'The request is malformed: its operation or variables are not valid JSON in UTF-8.',
            400,
          );
        }
      });
    },
  };
}

/** Passes requests that name their document by id: `documents` finds its text. */
function useDocumentIds(): Plugin {
  return {
    onParams({ request, params, setParams }) {
      const received: ReceivedParams = params;
      const { documentId = findIdInUrl(request), extensions, query = '' } = received;
      if (idsOf({ documentId, extensions }).length > 0) {
        const named: ReceivedParams & typeof params = { ...params, documentId, query };
        setParams(named);
      }
    },
  };
}

/** A list if the URL has several. */
function findIdInUrl({ method, url }: Request): string | readonly string[] | undefined {
  if (method !== 'GET') return undefined;
  const ids = [...new Set(new URL(url).searchParams.getAll('documentId'))];
  return ids.length > 1 ? ids : ids[0];
}

/** Runs the operation like the other transports. Yoga reads its request and writes its answer. */
function useOperation(clock: Clock): Plugin<object, ServerContext> {
  return {
    onParams({ setParamsHandler }) {
      setParamsHandler(({ params, context }) => run(context, params));
    },
    onResultProcess({ result, serverContext: { res }, setResultProcessor }) {
      const framing = findFraming(res.acceptedRanges);
      if (framing && (Symbol.asyncIterator in result || !acceptsAny(res.acceptedRanges, jsonTypes)))
        setResultProcessor(eventReplies({ framing, res, clock }), framing.mediaType);
    },
  };
}

const jsonTypes = ['application/json', 'application/graphql-response+json'];

/** @throws GraphQLError if the method or the media types do not allow the operation */
async function run(
  { operation, req, res, prepared: known }: ServerContext,
  params: ReceivedParams,
): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> {
  const prepared = known ?? operation.prepare(params);
  if (isRefused(prepared)) return { errors: withStatus(prepared.errors, statusOfRefused(prepared)) };
  assertAllowed(operation.type, req.method, res.acceptedRanges);
  if (operation.type === OperationTypeNode.SUBSCRIPTION) return subscribe(operation, prepared, res);
  const { result, isLarge } = await operation.answer(prepared, { isCompiled: false });
  operation.release();
  if (isLarge) return toWritten(await writeLarge(result), result.errors);
  return result.errors ? { ...result, errors: withStatus(result.errors, statusOfAnswer(result)) } : result;
}

async function subscribe(
  operation: Operation,
  prepared: OperationArgs,
  res: TrackedResponse,
): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> {
  const events = await operation.open(prepared);
  if (!isOpen(events)) return events;
  // Nobody would read the events, or end them.
  if (res.destroyed) {
    await events.return?.();
    return {};
  }
  endAtExpiry(prepared.contextValue, res);
  return withBackpressure(events, res);
}

/** A proxy may repeat a GET and start a second chat. Yoga checks media types when the operation has run, and is paid for. */
function assertAllowed(
  type: OperationTypeNode | undefined,
  method: string | undefined,
  acceptedRanges: readonly string[],
): void {
  const isSubscription = type === OperationTypeNode.SUBSCRIPTION;
  if (method === 'GET' && isSubscription)
    throw badRequest(
      'Subscriptions are not supported over GET. Use POST with "Accept: text/event-stream", or a WebSocket.',
      405,
    );
  if (method === 'GET' && type === OperationTypeNode.MUTATION)
    throw badRequest('Can only perform a mutation operation from a POST request.', 405);
  if (isSubscription && !findFraming(acceptedRanges))
    throw badRequest(
      'A subscription is answered with events. Nothing was sent. Send "Accept: text/event-stream" or "Accept: multipart/mixed;subscriptionSpec=1.0", or use a WebSocket.',
      406,
    );
}

/** Breaks the connection when the caller's token expires: after a complete event, the client would not come back. */
function endAtExpiry({ caller, engine }: Context, response: TrackedResponse): void {
  const expiresAt = caller?.token?.expiresAt;
  if (expiresAt === undefined || response.destroyed) return;
  const cancel = atTime(engine.clock, expiresAt, () => response.destroy());
  response.once('close', cancel);
}

/** Maps the codes of Yoga's own errors to documented codes. */
function useDocumentedCodes(): Plugin<object, ServerContext> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (Array.isArray(result) || !('errors' in result) || !result.errors) return;
      const errors = result.errors.map((error) =>
        withAdvice(withDocumentedCode(error), serverContext.operation.requestId),
      );
      setResult({ ...result, errors });
    },
  };
}

function withDocumentedCode(error: GraphQLError): GraphQLError {
  const { code, http } = error.extensions;
  if (isErrorCode(code)) return error;
  const own: ErrorCode = code === 'INTERNAL_SERVER_ERROR' ? 'INTERNAL' : 'BAD_REQUEST';
  return rewriteError(error, { extensions: { code: own, http } });
}

function toYogaLog({ log }: Engine) {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (message: unknown) => {
    log[level](
      message instanceof Error ? { err: message } : {},
      typeof message === 'string' ? message : 'graphql-yoga',
    );
  };
  // Yoga's info lines are about itself, not about requests.
  return { debug: write('debug'), info: write('debug'), warn: write('warn'), error: write('error') };
}

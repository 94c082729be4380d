import type { ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { type ErrorCode, isErrorCode } from '../../error-codes.ts';
import type { Context } from '../../graphql/context.ts';
import type { Engine } from '../../generations/engine.ts';
import { atTime } from '../../lib/at-time.ts';
import { acceptsAny } from '../../lib/media-ranges.ts';
import { withBackpressure } from '../sending/backpressure.ts';
import type { EventPreparation } from '../operation/event-preparation.ts';
import { useExactIntegers } from '../operation/exact-integers.ts';
import { openAdmitted, type OperationArgs, withAdvice } from '../operation/execution.ts';
import { useLargeAnswers } from '../sending/large-answers.ts';
import {
  createStages,
  type HttpExchange,
  type HttpStages,
  type ReceivedParams,
  type StagesOptions,
} from '../operation/operation-stages.ts';
import { rewriteError } from '../operation/rewrite-error.ts';
import { idsOf } from '../operation/trusted-documents.ts';

/** Passed to Yoga with each GraphQL request. */
export interface ServerContext extends HttpExchange, Record<string, unknown> {
  /** Present if another way began the operation. */
  stages?: HttpStages;
}

/** GraphQL over HTTP: JSON for queries and mutations, server-sent events for subscriptions by POST. */
export function createYogaHandler(options: StagesOptions) {
  const stagesOf = (context: ServerContext & { readonly params: ReceivedParams }): HttpStages =>
    (context.stages ??= createStages(options, context, context.params));
  return createYoga<ServerContext, Context>({
    schema: options.schema,
    graphqlEndpoint: '/graphql',
    context: (context) => stagesOf(context).context(),
    plugins: [
      useExactIntegers(),
      useMaskedParseErrors(),
      useDocumentIds(),
      useStages(stagesOf, options.preparation),
      useSubscriptionsByPostOnly(),
      useSubscriptionsAsEvents(),
      useDocumentedCodes(),
      useLargeAnswers(options.engine.pauses),
    ],
    extraParamNames: ['documentId'],
    cors: false,
    // `readBody` limits it.
    maxRequestBodySize: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    parserAndValidationCache: false,
    logging: toYogaLog(options.engine),
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
          throw badRequest('The request is malformed: its operation or variables are not valid JSON.', 400);
        }
      });
    },
  };
}

/** Passes requests that name their document by id: `documents` finds its text. */
function useDocumentIds(): Plugin {
  return {
    onParams({ request, params, setParams }) {
      const { documentId = findIdInUrl(request), extensions, query = '' } = params as ReceivedParams;
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

type StagesOf = (context: ServerContext & { readonly params: ReceivedParams }) => HttpStages;

/** Parses, validates, executes and masks like the other transports. */
function useStages(stagesOf: StagesOf, preparation: EventPreparation): Plugin<ServerContext> {
  return {
    onParse({ context, setParseFn }) {
      setParseFn(() => stagesOf(context).document());
    },
    onValidate({ context, setValidationFn }) {
      setValidationFn(() => stagesOf(context).errors());
    },
    onExecute({ args: { contextValue }, setExecuteFn }) {
      setExecuteFn(() => stagesOf(contextValue).result());
    },
    onSubscribe({ args: { contextValue }, setSubscribeFn }) {
      setSubscribeFn(async (args: object) => {
        const operation = args as OperationArgs; // As in onExecute.
        contextValue.onExecute?.();
        const events = await openAdmitted(operation, contextValue.permit, { preparation });
        if (!(Symbol.asyncIterator in events)) return events;
        endAtExpiry(operation.contextValue, contextValue.res);
        return withBackpressure(events, contextValue.res);
      });
    },
  };
}

/** Breaks the connection when the caller's token expires: after a complete event, the client would not come back. */
function endAtExpiry({ caller, engine }: Context, response: ServerResponse): void {
  const expiresAt = caller?.token?.expiresAt;
  if (expiresAt === undefined || response.destroyed) return;
  const cancel = atTime(engine.clock, expiresAt, () => response.destroy());
  response.once('close', cancel);
}

/** Rejects subscriptions by GET, because a proxy may repeat a GET and start a second chat. */
function useSubscriptionsByPostOnly(): Plugin<ServerContext> {
  return {
    onSubscribe({ args }) {
      if (args.contextValue.req.method !== 'GET') return;
      throw badRequest(
        'Subscriptions are not supported over GET. Use POST with "Accept: text/event-stream", or a WebSocket.',
        405,
      );
    },
  };
}

/** Rejects subscriptions whose client does not accept events. Yoga checks it when the subscription is open, and paid for. */
function useSubscriptionsAsEvents(): Plugin<ServerContext> {
  return {
    onSubscribe({ args }) {
      if (acceptsAny(args.contextValue.res.acceptedRanges, ['text/event-stream'])) return;
      throw badRequest(
        'A subscription is answered with events. Nothing was sent. Send "Accept: text/event-stream", or use a WebSocket.',
        406,
      );
    },
  };
}

/** Maps the codes of Yoga's own errors to documented codes. */
function useDocumentedCodes(): Plugin<object, ServerContext> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (Array.isArray(result) || !('errors' in result) || !result.errors) return;
      const errors = result.errors.map((error) =>
        withAdvice(withDocumentedCode(error), serverContext.requestId),
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

function badRequest(message: string, status: 400 | 405 | 406): GraphQLError {
  const headers = status === 405 ? { allow: 'POST' } : {};
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status, headers } } });
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

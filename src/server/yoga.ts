import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { type ErrorCode, isErrorCode, RequestError } from '../errors.ts';
import type { Context } from '../graphql/context.ts';
import type { Engine } from '../generations/engine.ts';
import type { Permit } from './admission/admission.ts';
import type { Callers } from './callers.ts';
import { createContext } from './contexts.ts';
import type { Documents } from './documents.ts';
import { executeOperation, maskThrown, openAdmitted, type OperationArgs, withAdvice } from './execution.ts';
import { withBackpressure } from './backpressure.ts';
import { useExactIntegers } from './exact-integers.ts';
import type { IntrospectionResults } from './introspection-results.ts';
import { rewriteError } from './rewrite-error.ts';
import { findTrace } from './traces.ts';

export interface YogaOptions {
  readonly engine: Engine;
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly introspections: IntrospectionResults;
  readonly callers: Callers;
}

/** Passed by the HTTP server to each GraphQL request. */
export interface ServerContext extends Record<string, unknown> {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  readonly permit: Permit;
  /** The body of a POST, which has been read. */
  readonly body?: Buffer | undefined;
}

/** GraphQL over HTTP: JSON for queries and mutations, server-sent events for subscriptions by POST. */
export function createYogaHandler(options: YogaOptions) {
  const { engine, schema, callers } = options;
  return createYoga<ServerContext, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    async context({ req, request, requestId }) {
      const transport = request.headers.get('accept')?.includes('text/event-stream') ? 'sse' : 'http';
      try {
        const caller = await callers.find({ headers: req.headers });
        return createContext(engine, { caller, transport, requestId, trace: findTrace(req.headers) });
      } catch (error) {
        const masked = maskThrown(error, { requestId, engine });
        const status = error instanceof RequestError ? 400 : 500;
        throw rewriteError(masked, { extensions: { ...masked.extensions, http: { status } } });
      }
    },
    plugins: [
      useExactIntegers(),
      useMaskedParseErrors(),
      useSharedExecution(options),
      useSubscriptionsByPostOnly(),
      useDocumentedCodes(),
    ],
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
          throw badRequest('The request is malformed: its operation or variables are not valid JSON.', 400);
        }
      });
    },
  };
}

/** Parses, validates, executes and masks like the other transports. */
function useSharedExecution({ documents, introspections }: YogaOptions): Plugin<ServerContext> {
  return {
    onParse({ context, setParseFn }) {
      setParseFn((source: string) => {
        const document = documents.parse(source);
        documents.select(document, context.params.operationName);
        return document;
      });
    },
    onValidate({ context: { params }, setValidationFn }) {
      setValidationFn((_schema: unknown, document: Parameters<Documents['validate']>[0]) => {
        const errors = documents.validate(document);
        const { operationName, variables } = params;
        return errors.length > 0 ? errors : documents.checkCost(document, { operationName, variables });
      });
    },
    onExecute({ args: { contextValue }, setExecuteFn }) {
      setExecuteFn(async (args: object) => {
        const result = await executeOperation(args as OperationArgs, introspections); // `context` above created the context value.
        contextValue.permit.release();
        return result;
      });
    },
    onSubscribe({ args: { contextValue }, setSubscribeFn }) {
      setSubscribeFn(async (args: object) => {
        const events = await openAdmitted(args as OperationArgs, contextValue.permit); // As in onExecute.
        return Symbol.asyncIterator in events ? withBackpressure(events, contextValue.res) : events;
      });
    },
  };
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

function badRequest(message: string, status: 400 | 405): GraphQLError {
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

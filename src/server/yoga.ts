import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Context, Kernel } from '../graphql/context.ts';
import type { Callers } from './callers.ts';
import { createContext } from './contexts.ts';
import type { Documents } from './documents.ts';
import { executeOperation, type OperationArgs, subscribeOperation } from './execution.ts';

export interface YogaOptions {
  readonly kernel: Kernel;
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly callers: Callers;
  readonly maxBodyBytes: number;
  /** Origins whose pages may call; none when undefined. */
  readonly corsOrigins: '*' | readonly string[] | undefined;
}

/** What the HTTP layer hands to each GraphQL request. */
export interface ServerContext extends Record<string, unknown> {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
}

/** GraphQL over HTTP: JSON for queries and mutations, server-sent events for subscriptions by POST. */
export function createYogaHandler(options: YogaOptions) {
  const { kernel, schema, callers, corsOrigins } = options;
  return createYoga<ServerContext, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    context: async ({ req, request, requestId }) =>
      createContext(kernel, {
        caller: await callers.find(req.headers),
        transport: request.headers.get('accept')?.includes('text/event-stream') ? 'sse' : 'http',
        requestId,
      }),
    plugins: [useOwnEngine(options.documents), useNoSubscriptionOverGet()],
    cors:
      corsOrigins === undefined
        ? false
        : { origin: corsOrigins === '*' ? '*' : [...corsOrigins], credentials: false },
    maxRequestBodySize: options.maxBodyBytes,
    graphiql: false,
    landingPage: false,
    multipart: false,
    parserAndValidationCache: false,
    logging: toYogaLog(kernel),
  });
}

/** Parses, validates, executes and masks as every transport does. */
function useOwnEngine(documents: Documents): Plugin {
  return {
    onParse({ setParseFn }) {
      setParseFn((source: string) => documents.parse(source));
    },
    onValidate({ setValidationFn }) {
      setValidationFn((_schema: unknown, document: Parameters<Documents['validate']>[0]) =>
        documents.validate(document),
      );
    },
    onExecute({ setExecuteFn }) {
      setExecuteFn((args: object) => executeOperation(args as OperationArgs)); // The context is the one made above.
    },
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn((args: object) => subscribeOperation(args as OperationArgs)); // Likewise.
    },
  };
}

/** A GET may be repeated by anything between us and the client. */
function useNoSubscriptionOverGet(): Plugin<ServerContext> {
  return {
    onSubscribe({ args }) {
      if (args.contextValue.req.method !== 'GET') return;
      throw new GraphQLError(
        'Subscriptions do not run over GET: use POST with "Accept: text/event-stream", or a WebSocket.',
        {
          extensions: { code: 'BAD_REQUEST', http: { status: 405, headers: { allow: 'POST' } } },
        },
      );
    },
  };
}

function toYogaLog({ log }: Kernel) {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (message: unknown) => {
    log[level](
      message instanceof Error ? { err: message } : {},
      typeof message === 'string' ? message : 'from the GraphQL server',
    );
  };
  // What this server says at info is about itself, not about requests.
  return { debug: write('debug'), info: write('debug'), warn: write('warn'), error: write('error') };
}

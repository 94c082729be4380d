import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type ExecutionResult, print } from 'graphql';
import { type Client as SseClient, createClient as createSseClient } from 'graphql-sse';
import { type Client as WsClient, type ClientOptions, createClient as createWsClient } from 'graphql-ws';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { type App, type AppOverrides, createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { apiSchema } from './api-schema.ts';
import { emptyTables } from './empty-tables.ts';

export interface TestAppOptions {
  /** Settings in addition to the test defaults: free ports, a silent log. */
  readonly env?: Readonly<Record<string, string>>;
  /** @default an unpaced sandbox */
  readonly sandbox?: SandboxOptions;
  /** A gateway to use instead of the sandbox. */
  readonly gatewayUrl?: string;
  readonly overrides?: AppOverrides;
  /** Receives each log line, parsed. */
  readonly onLog?: (line: Readonly<Record<string, unknown>>) => void;
}

export interface Caller {
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the stock SSE client. @default 0 */
  readonly retryAttempts?: number;
}

/** Client access to a server in this process or another. */
export interface Api {
  /** URL of the GraphQL endpoint. */
  readonly url: string;
  /** Runs a query or mutation over HTTP. Uses the sandbox's key by default. */
  run<Result, Variables>(
    document: TypedDocumentNode<Result, Variables> | string,
    variables?: Variables,
    caller?: Caller,
  ): Promise<ExecutionResult<Result>>;
  /** The stock WebSocket client, by default with the sandbox's key in connectionParams. Disposed when the test ends. */
  wsClient(options?: Partial<ClientOptions>): WsClient;
  /** The stock SSE client, by default with the sandbox's key as a header. Disposed when the test ends. */
  sseClient(caller?: Caller): SseClient;
}

export interface TestApp extends Api {
  readonly app: App;
  readonly sandbox: Sandbox;
}

export const sandboxKey = { authorization: 'Bearer sk-sandbox' };
export const systemToken = { authorization: 'sandbox-system', 'new-api-user': '1' };

/** Starts the whole program on free ports with a sandbox over loopback HTTP. The caller disposes it. */
export async function startApp(options: TestAppOptions = {}): Promise<TestApp & AsyncDisposable> {
  const sandbox = await createSandbox({ tokensPerSecond: Number.POSITIVE_INFINITY, ...options.sandbox });
  const config = loadConfig({
    PORT: '0',
    SANDBOX_PORT: '0',
    GATEWAY_URL: options.gatewayUrl ?? sandbox.url,
    // As with the program's own sandbox.
    GRAPHIQL: 'on',
    SHUTDOWN_SECONDS: '0.05',
    DATA_DIR: ':memory:',
    // Tests count requests to the gateway. Those of following turn it on.
    TASK_FOLLOW_HOURS: '0',
    LOG_LEVEL: options.onLog ? 'debug' : 'silent',
    ...options.env,
  });
  const { onLog } = options;
  const log =
    onLog && pino({ level: 'debug', base: null }, { write: (line: string) => onLog(JSON.parse(line)) });
  const app = await createApp(config, {
    schema: apiSchema,
    emptyTables: await emptyTables(),
    ...(log && { log }),
    ...options.overrides,
  });
  return {
    ...apiAt(`${app.url}/graphql`),
    app,
    sandbox,
    async [Symbol.asyncDispose]() {
      await app.close();
      await sandbox.close();
    },
  };
}

/** Client access to the server at this GraphQL URL. */
export function apiAt(url: string): Api {
  return {
    url,
    run: (document, variables, caller) =>
      postOperation(url, { document, variables, headers: caller?.headers ?? sandboxKey }),
    wsClient(clientOptions) {
      const client = createWsClient({
        url: url.replace('http', 'ws'),
        webSocketImpl: WebSocket,
        connectionParams: sandboxKey,
        retryAttempts: 0,
        ...clientOptions,
      });
      onTestFinished(() => void client.dispose());
      return client;
    },
    sseClient(caller) {
      const client = createSseClient({
        url,
        headers: { ...(caller?.headers ?? sandboxKey) },
        retryAttempts: caller?.retryAttempts ?? 0,
      });
      onTestFinished(() => client.dispose());
      return client;
    },
  };
}

interface PostOptions {
  readonly document: TypedDocumentNode<never, never> | string | object;
  readonly variables?: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

async function postOperation<Result>(
  url: string,
  { document, variables, headers }: PostOptions,
): Promise<ExecutionResult<Result>> {
  const query = typeof document === 'string' ? document : print(document as TypedDocumentNode<never, never>);
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as ExecutionResult<Result>;
}

/** Collects all events of a subscription until it completes. */
export async function collect<Result>(
  events: AsyncIterable<ExecutionResult<Result>>,
): Promise<ExecutionResult<Result>[]> {
  const all: ExecutionResult<Result>[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Subscribes to a typed document on a stock client. */
export function subscribe<Result, Variables>(
  client: WsClient | SseClient,
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
): AsyncIterableIterator<ExecutionResult<Result>> {
  const payload = { query: print(document), variables: variables as Record<string, unknown> };
  // Both clients type results loosely. The document has the exact type.
  return client.iterate(payload) as AsyncIterableIterator<ExecutionResult<Result>>;
}

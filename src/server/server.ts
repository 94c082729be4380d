import type { GraphQLSchema } from 'graphql';
import type { Config } from '../config.ts';
import type { Exploration } from '../exploration.ts';
import type { HeldKey } from '../gateway/caller.ts';
import type { Engine } from '../generations/engine.ts';
import type { CapabilityOperation } from '../graphql/capability.ts';
import type { Clock } from '../lib/clock.ts';
import { noLimits } from '../lib/fairness/fair-queue.ts';
import { createSlicedTurns } from '../lib/fairness/fair-work.ts';
import { type EventLoop, sliceMs } from '../lib/fairness/slice.ts';
import { hourMs, toDurationMs } from '../lib/time.ts';
import { createAdmission } from './admission/admission.ts';
import { ownerOrAddress, toAdmissionLimits } from './admission/admission-path.ts';
import { type AddressOf, createAddressOf } from './admission/client-address.ts';
import type { OwnerGroups } from './admission/owner-groups.ts';
import { createReceivedBytes } from './admission/received-bytes.ts';
import { createSocketCounts } from './admission/socket-counts.ts';
import { createRecallCaller } from './admission/recall-callers.ts';
import { createAnonymousBuckets } from './admission/token-buckets.ts';
import type { CallbacksOptions, Callbacks } from './callbacks/callbacks.ts';
import { createCallers, type SignIn } from './callers/callers.ts';
import { createCompiledQueries } from './operation/compiled/compiled-queries.ts';
import { createEventWriters } from './operation/compiled/event-writers.ts';
import { createDocuments } from './operation/documents.ts';
import { createEventPreparation } from './operation/event-preparation.ts';
import { createGraphiQL } from './pages/graphiql/graphiql.ts';
import { createMediaOrigins } from './pages/graphiql/media-origins.ts';
import type { TabCredentials } from './pages/graphiql/graphiql-tabs.ts';
import { createPlayground, toExamples } from './pages/playground.ts';
import { createGraphqlHandler } from './http/graphql-over-http.ts';
import { createHttpServer, type HttpServerOptions } from './http/http.ts';
import type { Handler, Obstacle } from './http/routes.ts';
import { createSendBuffers } from './sending/send-buffers.ts';
import { stallTimeoutOf } from './sending/send-progress.ts';
import { createIntrospectionRuns } from './operation/introspection-runs.ts';
import type { OperationOptions } from './operation/operation.ts';
import type { TrustedDocuments } from './operation/trusted-documents.ts';
import { createWebSocketTransport } from './websocket/websocket.ts';

export interface ServerOptions {
  readonly config: Config;
  readonly engine: Engine;
  readonly schema: GraphQLSchema;
  readonly trustedDocuments: TrustedDocuments;
  readonly gatewayUrl: string;
  readonly exploration: Exploration;
  /** The operations that GraphiQL offers. */
  readonly operations: readonly CapabilityOperation[];
  /** Credentials of the sandbox, prefilled in GraphiQL. Undefined for any other gateway, and if callers have to sign in. */
  readonly credentials: TabCredentials | undefined;
  /** Whether the gateway is a sandbox whose media browsers on other machines load. */
  readonly forwardsHost: boolean;
  /** How callers sign in. Undefined if they bring credentials of the gateway. */
  readonly signIn: SignIn | undefined;
  /** Absent without CALLBACK_URLS: their code is then not loaded. */
  readonly createCallbacks: ((options: CallbacksOptions) => Callbacks) | undefined;
  /** The key of the server, if it serves callers who sign in. */
  readonly heldKey: HeldKey | undefined;
  /** Receives the group of each owner. */
  readonly ownerGroups: OwnerGroups;
  /** Whether the server refuses new work because it is shutting down. */
  readonly isDraining: () => boolean;
  /** Serves the figures at `/metrics`. Undefined if they have a port of their own, or if there are none. */
  readonly serveMetrics: Handler | undefined;
  /** Clock for heartbeats and slow clients. */
  readonly clock: Clock;
  /** Measures the slices of events. @default the system's */
  readonly eventLoop?: EventLoop | undefined;
  /** Of all processes together, which share their records. @default MAX_OPEN_PER_OWNER */
  readonly maxCallbacksPerOwner?: number | undefined;
}

/** All transports: GraphQL over HTTP, SSE and WebSocket, GraphiQL, and the health endpoints. */
export interface Server {
  /** Returns the URL it listens on. @throws the listen error when the port is taken */
  listen(port: number, host: string): Promise<string>;
  /** Whether the server accepts work. */
  isReady(): Promise<boolean>;
  readonly sockets: number;
  /** Bytes buffered for clients that are behind. */
  readonly unsentBytes: number;
  /**
   * Call when the drain begins. Accepts no more connections, moves clients to other servers, and serves each open connection
   * once more.
   */
  drain(): void;
  /**
   * Refuses further requests over HTTP, and moves callback subscriptions to other servers. Resolves when those that were opening are
   * open, or after 3 seconds.
   */
  refuseRequests(): Promise<void>;
  /** Resolves when no operation is in flight on any transport. Open feeds delay it forever, so use a deadline. */
  waitUntilIdle(): Promise<void>;
  close(): Promise<void>;
}

/** After a restart, more callers return at once than would come with unknown credentials. A look-up is cheap. */
const recallsPerOperation = 5;

export function createServer(options: ServerOptions): Server {
  const { config, engine, signIn, isDraining, clock } = options;
  const { log } = engine;
  const heartbeatMs = config.WEBSOCKET_PING_SECONDS * 1000;
  // A retry would not help a body that exceeds all bodies together.
  const maxBodyBytes = Math.min(config.MAX_BODY_BYTES, config.MAX_RECEIVED_BYTES);
  const sendBuffers = createSendBuffers({
    maxBytes: config.MAX_UNSENT_BYTES,
    maxGroupBytes: config.MAX_UNSENT_BYTES_PER_OWNER,
    stallTimeoutMs: stallTimeoutOf(heartbeatMs),
    clock,
    log,
  });
  const addressOf = createAddressOf(config.TRUST_PROXY);
  const receivedBytes = createReceivedBytes({
    maxTotalBytes: config.MAX_RECEIVED_BYTES,
    maxBodyBytes,
    maxAnonymousBodyBytes: config.MAX_ANONYMOUS_BODY_BYTES,
    anonymousRate: createAnonymousBuckets(config.ANONYMOUS_BYTES_PER_SECOND, clock),
    acceptedCallers: engine.acceptedCallers,
  });
  const operations = createOperations(options);
  let ownUrl = config.PUBLIC_URL;
  const callbacks = options.createCallbacks?.({
    ...operations,
    urls: config.CALLBACK_URLS ?? [],
    maxOpenPerOwner: options.maxCallbacksPerOwner ?? config.MAX_OPEN_PER_OWNER,
    maxUnsentBytes: config.MAX_UNSENT_BYTES,
    heldKey: options.heldKey,
    keyMs: toDurationMs(config.IDEMPOTENCY_HOURS, hourMs),
    clock,
  });
  const webSockets = createWebSocketTransport({
    ...operations,
    receivedBytes,
    socketCounts: createSocketCounts({
      maxSockets: config.MAX_SOCKETS,
      maxPerAddress: config.MAX_SOCKETS_PER_ADDRESS,
    }),
    addressOf,
    isDraining,
    sendBuffers,
    maxMessageBytes: maxBodyBytes,
    clock,
    heartbeatMs,
  });
  const findObstacle = async (): Promise<Obstacle | undefined> => {
    if (isDraining()) return 'draining';
    if (!(await engine.store.isReady())) return 'records';
    return signIn?.verifier?.canVerify() === false ? 'key set' : undefined;
  };
  const http = createHttpServer({
    log,
    isDraining,
    findObstacle,
    metrics: engine.metrics,
    tracing: engine.tracing,
    serveMetrics: options.serveMetrics,
    addressOf,
    storedFiles: createStoredFiles(engine, clock),
    ...createPages(options, () => (engine.files ? ownUrl : undefined)),
    graphql: createGraphqlHandler({ ...operations, receivedBytes, clock, addressOf, callbacks }),
    webSockets,
    maxBodyBytes,
    maxFileBytes: engine.files ? config.MAX_FILE_BYTES : 0,
    keepAliveMs: config.KEEP_ALIVE_SECONDS * 1000,
    corsOrigins: config.CORS_ORIGINS,
    sendBuffers,
    clientOf: createClientOf(engine, addressOf),
  });
  return {
    async listen(port, host) {
      const url = await http.listen(port, host);
      ownUrl ??= url;
      callbacks?.start();
      return url;
    },
    isReady: async () => (await findObstacle()) === undefined,
    get sockets() {
      return webSockets.sockets;
    },
    get unsentBytes() {
      return sendBuffers.bytes;
    },
    drain() {
      http.stopListening();
      webSockets.drain();
    },
    async refuseRequests() {
      http.refuseRequests();
      await callbacks?.drain();
    },
    waitUntilIdle: async () => void (await Promise.all([webSockets.waitUntilIdle(), http.waitUntilIdle()])),
    async close() {
      await webSockets.close();
      await http.close();
      await callbacks?.close();
    },
  };
}

function createClientOf({ acceptedCallers }: Engine, addressOf: AddressOf): HttpServerOptions['clientOf'] {
  return (request, caller) => {
    const address = addressOf(request);
    return { group: ownerOrAddress({ caller, address }, acceptedCallers), owner: caller?.owner, address };
  };
}

/** Undefined if the server keeps no files. `clock`: for clients that are slow. */
function createStoredFiles({ files, log, ...engine }: Engine, clock: Clock): Handler | undefined {
  if (!files) return undefined;
  return async (...request) => {
    // Loaded with the first request.
    const { serveStoredFile } = await import('./http/stored-files.ts');
    // A server that drains lets it end.
    engine.executions.add(1);
    await serveStoredFile(...request, { files, now: engine.clock.now(), clock, log }).finally(() =>
      engine.executions.add(-1),
    );
  };
}

/** What the server shows to people. */
function createPages(
  { config, engine, exploration, operations, credentials, gatewayUrl, forwardsHost }: ServerOptions,
  filesUrl: () => string | undefined,
) {
  const { graphiql, playground } = exploration;
  const { AUTH: auth, GATEWAY_API_KEY_FOR_ALL: isKeyForAll } = config;
  const storeOrigins = [engine.files?.storeOrigin ?? []].flat();
  const mediaOrigins = createMediaOrigins({
    gatewayUrl,
    trustedOrigins: [...(config.GATEWAY_TRUSTED_ORIGINS ?? []), ...storeOrigins],
    filesUrl,
    forwardsHost,
  });
  return {
    graphiql:
      graphiql === undefined
        ? undefined
        : createGraphiQL(graphiql, { operations, credentials, auth, isKeyForAll, mediaOrigins }),
    playground:
      playground === undefined
        ? undefined
        : createPlayground(playground, {
            mediaOrigins,
            uploadOrigins: storeOrigins,
            settings: {
              auth,
              apiKey: credentials?.apiKey ?? (isKeyForAll ? '' : undefined),
              hasSandbox: config.GATEWAY_URL === undefined,
              hasGraphiQL: graphiql !== undefined,
              examples: toExamples(operations),
            },
          }),
  };
}

function createOperations(options: ServerOptions): OperationOptions {
  const { config, exploration, engine, schema, signIn, ownerGroups, clock } = options;
  const eventTurns = createSlicedTurns({
    lengthMs: sliceMs.events,
    loop: options.eventLoop,
    pathOf: (owner) => [ownerGroups.groupOf(owner), owner].map((key) => ({ key, limits: noLimits })),
  });
  return {
    engine,
    schema,
    callers: createCallers({
      store: engine.store,
      canClientOverride: config.TRUST_CONNECTION_PARAMS,
      forwardsHost: options.forwardsHost,
      signIn,
    }),
    ...createLimits(options),
    documents: createDocuments({
      schema,
      trusted: options.trustedDocuments,
      hasIntrospection: exploration.hasIntrospection,
      clock,
    }),
    introspections: createIntrospectionRuns({ ownerGroups, clock }),
    queries: createCompiledQueries(schema),
    eventWriters: createEventWriters(engine.maxAnswerBytes),
    eventTurns,
    preparation: createEventPreparation({ maxBytes: engine.maxAnswerBytes, turns: eventTurns, clock }),
  };
}

/** What decides when operations run. */
function createLimits({
  config,
  engine,
  ownerGroups,
  clock,
}: Pick<ServerOptions, 'config' | 'engine' | 'ownerGroups' | 'clock'>) {
  const admission = createAdmission({
    limits: toAdmissionLimits(config),
    acceptedCallers: engine.acceptedCallers,
    ownerGroups: ownerGroups,
    anonymousRate: createAnonymousBuckets(config.ANONYMOUS_OPERATIONS_PER_SECOND, clock),
    anonymousAnswers: createAnonymousBuckets(config.ANONYMOUS_ANSWER_BYTES_PER_SECOND, clock),
    clock,
    onWaited: (waitedMs) => engine.metrics?.record('gengraph.admission.wait', waitedMs / 1000),
  });
  const recallCaller = createRecallCaller({
    store: engine.store,
    acceptedCallers: engine.acceptedCallers,
    rate: createAnonymousBuckets(recallsPerOperation * config.ANONYMOUS_OPERATIONS_PER_SECOND, clock),
    clock,
  });
  return { admission, recallCaller };
}

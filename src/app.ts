import { LRUCache } from 'lru-cache';
import { type Logger, pino } from 'pino';
import { createInProcessBus } from './bus/in-process-bus.ts';
import { type Config, ConfigError } from './config.ts';
import { createGateway } from './gateway/gateway.ts';
import { announceChanges } from './generations/announced-store.ts';
import { createCreations } from './generations/create-once.ts';
import { createRecordLater } from './generations/record-later.ts';
import { createRecordKeeper } from './generations/keep-records.ts';
import type { Engine } from './generations/engine.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { createInFlight } from './lib/in-flight.ts';
import { subgraphSchema as schema } from './schema.ts';
import { createCallers } from './server/callers.ts';
import { createDocuments } from './server/documents.ts';
import { createGraphiQL } from './server/graphiql.ts';
import { createHttpServer } from './server/http.ts';
import { createWebSocketTransport, type WebSocketTransport } from './server/websocket.ts';
import { createUnsent, type Unsent } from './server/unsent.ts';
import { createYogaHandler } from './server/yoga.ts';
import { createSqliteStore } from './store/sqlite/sqlite-store.ts';
import type { Store } from './store/store.ts';
import { createPoller } from './tasks/poller.ts';
import { createTasks } from './tasks/tasks.ts';
import { endlessKinds, type TaskPaths, toTaskPaths } from './tasks/task-reads.ts';
import { createStreams } from './streams/streams.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { Tracing } from './tracing/tracing.ts';

export interface App {
  /** Where it listens, e.g. `http://127.0.0.1:4000`. */
  readonly url: string;
  readonly gatewayUrl: string;
  /** The embedded gateway, when no other is configured. */
  readonly sandbox: Sandbox | undefined;
  readonly activity: Activity;
  /** Drains: no new work; running streams finish within SHUTDOWN_SECONDS; then sockets close so that clients reconnect. */
  close(): Promise<void>;
}

/** What is open right now. */
export interface Activity {
  readonly sockets: number;
  readonly streams: number;
  readonly watchers: number;
  readonly polledTasks: number;
  readonly taskWatchers: number;
  readonly feeds: number;
  /** What waits for clients that are behind. */
  readonly unsentBytes: number;
}

export interface AppOverrides {
  /** Stands between the program and its records. */
  readonly wrapStore?: (records: Store) => Store;
  readonly clock?: Clock;
  /** Times heartbeats and slow clients. @default the system's clock, whatever `clock` is */
  readonly clientClock?: Clock;
  /** Times the drain. @default the system's clock, whatever `clock` is */
  readonly drainClock?: Clock;
  readonly log?: Logger;
}

/** Puts the parts together. The only place that does. @throws the listen error when a port is taken */
export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const clock = overrides.clock ?? systemClock;
  const taskPaths = toTaskPaths(config.GATEWAY_TASK_PATHS ?? {});
  const log =
    overrides.log ?? pino({ level: config.LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  const opened = await openStore(config, clock);
  const records = overrides.wrapStore?.(opened) ?? opened;
  const sandbox =
    config.GATEWAY_URL === undefined ? await closedOnFailure(startSandbox(config), records) : undefined;
  const gatewayUrl = sandbox?.url ?? config.GATEWAY_URL ?? '';
  const tracing = await startTracing(config, log);
  const engine = createEngine(config, { records, gatewayUrl, taskPaths, clock, log, tracing });
  const keeper = createRecordKeeper({
    store: engine.store,
    clock,
    keyMs: config.IDEMPOTENCY_HOURS * 3_600_000,
    generationMs: config.GENERATION_DAYS && config.GENERATION_DAYS * 86_400_000,
    endlessKinds: endlessKinds(taskPaths),
    onError: (err, what) => log.error({ err }, `the records: ${what} failed`),
  });
  let draining: Promise<void> | undefined;
  const isDraining = (): boolean => draining !== undefined;
  const documents = createDocuments(schema);
  const callers = createCallers(engine.store);
  const { clientClock = systemClock, drainClock = systemClock } = overrides;
  const pingMs = config.WEBSOCKET_PING_SECONDS * 1000;
  const unsent = createUnsent({
    maxBytes: config.MAX_UNSENT_BYTES,
    patienceMs: 2 * pingMs,
    clock: clientClock,
    log,
  });
  const webSockets = createWebSocketTransport({
    engine,
    schema,
    documents,
    callers,
    isDraining,
    unsent,
    maxMessageBytes: config.MAX_BODY_BYTES,
    clock: clientClock,
    pingMs,
  });
  const yoga = createYogaHandler({
    engine,
    schema,
    documents,
    callers,
    maxBodyBytes: config.MAX_BODY_BYTES,
  });
  const server = createHttpServer({
    log,
    isDraining,
    isReady: async () => !isDraining() && (await engine.store.isReady()),
    graphiql: createGraphiQL({ credentials: sandbox }),
    graphql: (req, res, requestId) => yoga(req, res, { req, res, requestId }),
    webSockets,
    maxBodyBytes: config.MAX_BODY_BYTES,
    corsOrigins: config.CORS_ORIGINS,
    unsent,
  });
  const release = async (): Promise<void> => {
    engine.poller.close();
    engine.streams.close();
    await engine.gateway.close();
    await keeper.close();
    await engine.later.close();
    await engine.store.close();
    await sandbox?.close();
    // A receiver that does not answer holds up nobody for long.
    if (tracing) await within(systemClock, 2000, tracing.close());
  };
  const drain = async (): Promise<void> => {
    const settled = Promise.all([engine.streams.whenDrained(), engine.executions.whenNone()]);
    await within(drainClock, config.SHUTDOWN_SECONDS * 1000, settled);
    await engine.streams.interruptAll();
    // What has ended is told before its connection goes. Feeds that never end do not hold up the rest.
    await within(drainClock, 1000, Promise.all([webSockets.whenIdle(), server.whenIdle()]));
    await webSockets.close();
    await server.close();
    await release();
  };
  let url: string;
  try {
    await keeper.start();
    url = await server.listen(config.PORT, config.HOST);
  } catch (error) {
    await webSockets.close();
    await release();
    throw error;
  }
  return {
    url,
    gatewayUrl,
    sandbox,
    activity: createActivity(engine, { webSockets, unsent }),
    close: () => (draining ??= drain()),
  };
}

/** Waits for the promise, but no longer than this. */
async function within(clock: Clock, timeoutMs: number, promise: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const cancel = clock.after(timeoutMs, late.resolve);
  try {
    await Promise.race([promise, late.promise]);
  } finally {
    cancel();
  }
}

/** @throws ConfigError when the directory cannot be used */
async function openStore({ DATA_DIR: directory }: Config, clock: Clock): Promise<Store> {
  try {
    return await createSqliteStore({ directory, clock });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`Cannot keep records in DATA_DIR=${directory}: ${reason}`, { cause });
  }
}

async function closedOnFailure<Result>(starting: Promise<Result>, store: Store): Promise<Result> {
  try {
    return await starting;
  } catch (error) {
    await store.close();
    throw error;
  }
}

function createEngine(
  config: Config,
  parts: {
    readonly records: Store;
    readonly gatewayUrl: string;
    readonly taskPaths: TaskPaths;
    readonly clock: Clock;
    readonly log: Logger;
    readonly tracing: Tracing | undefined;
  },
): Engine {
  const { clock, log, tracing } = parts;
  const bus = createInProcessBus();
  const store = announceChanges(parts.records, bus);
  const streams = createStreams({
    clock,
    logMs: config.STREAM_LOG_SECONDS * 1000,
    onSaveFailed: (err, generationId) => log.warn({ err, generationId }, 'a running chat could not be saved'),
    findEnded: (ids) => store.findEnded(ids),
    onLookFailed: (err) => log.warn({ err }, 'whether a running chat was ended elsewhere could not be read'),
  });
  const later = createRecordLater({
    clock,
    onFailed: (err, what) => log.error({ err }, `${what} cannot be recorded yet; it is tried again`),
  });
  const gateway = createGateway({
    url: parts.gatewayUrl,
    connections: config.GATEWAY_CONNECTIONS,
    timeoutMs: config.GATEWAY_TIMEOUT_SECONDS * 1000,
    stallMs: config.GATEWAY_STALL_SECONDS * 1000,
    readMs: config.GATEWAY_READ_SECONDS * 1000,
    trustedOrigins: config.GATEWAY_TRUSTED_ORIGINS,
    clock,
    tracing,
  });
  const tasks = createTasks({
    store,
    gateway,
    clock,
    paths: parts.taskPaths,
  });
  const poller = createPoller({
    tasks,
    clock,
    random: Math.random,
    minIntervalMs: config.TASK_POLL_SECONDS * 1000,
    maxIntervalMs: config.TASK_POLL_MAX_SECONDS * 1000,
    patienceMs: 30_000,
  });
  return {
    gateway,
    store,
    bus,
    streams,
    tasks,
    poller,
    clock,
    log,
    tracing,
    executions: createInFlight(),
    creations: createCreations({ store, clock, later }),
    later,
    pages: new LRUCache({ max: 1000, ttl: 30_000 }),
    streaming: { acceptMs: config.CHAT_ACCEPT_SECONDS * 1000, detachMs: config.CHAT_DETACH_SECONDS * 1000 },
  };
}

function createActivity(
  { streams, poller, bus }: Engine,
  { webSockets, unsent }: { readonly webSockets: WebSocketTransport; readonly unsent: Unsent },
): Activity {
  return {
    get sockets() {
      return webSockets.sockets;
    },
    get streams() {
      return streams.running;
    },
    get watchers() {
      return streams.watchers;
    },
    get polledTasks() {
      return poller.polled;
    },
    get taskWatchers() {
      return poller.watchers;
    },
    get feeds() {
      return bus.subscriptions;
    },
    get unsentBytes() {
      return unsent.bytes;
    },
  };
}

/** Loaded only where somebody receives spans. */
async function startTracing(config: Config, log: Logger): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: exact } = config;
  const url = exact ?? (base && `${base}/v1/traces`);
  if (url === undefined) return undefined;
  const { createOtlpTracing } = await import('./tracing/otlp-tracing.ts');
  return createOtlpTracing({
    url,
    serviceName: config.OTEL_SERVICE_NAME,
    version: config.version,
    onFailing: (err) =>
      log.warn({ err, url }, 'spans cannot be sent: they are lost until the receiver answers'),
    onWorking: () => log.warn({ url }, 'spans are sent again'),
  });
}

async function startSandbox(config: Config): Promise<Sandbox> {
  const { createSandbox } = await import('./sandbox/sandbox.ts');
  return createSandbox({
    port: config.SANDBOX_PORT,
    tokensPerSecond: config.SANDBOX_TOKENS_PER_SECOND,
    taskSeconds: config.SANDBOX_TASK_SECONDS,
  });
}

import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Bus } from './bus/bus.ts';
import { capabilities as allCapabilities } from './capabilities/index.ts';
import { explainUnknownKind } from './caller-limits.ts';
import { findChangedSettings } from './changed-settings.ts';
import { type Config, ConfigError } from './config.ts';
import { createLog, type ProgramLog } from './create-log.ts';
import { closeEngine, createEngine, type EngineParts, type RunningEngine } from './create-engine.ts';
import { explorationOf } from './exploration.ts';
import { createMaintenanceLog } from './lib/maintenance-log.ts';
import { createRecordMaintenance, type RecordMaintenance } from './generations/record-maintenance.ts';
import type { Files } from './files/files.ts';
import { type Clock, createSystemClock } from './lib/clock.ts';
import type { EventLoop } from './lib/fairness/slice.ts';
import type { OpenFilesOptions } from './open-files.ts';
import {
  type Deployment,
  lockDataDirectory,
  openExchange,
  openStore,
  type StoreOptions,
} from './open-records.ts';
import { openWebhooks, readWebhooks } from './open-webhooks.ts';
import { isLogged } from './lib/log.ts';
import { dayMs, hourMs, toDurationMs } from './lib/time.ts';
import { withTimeout } from './lib/with-timeout.ts';
import { shutDown } from './shut-down.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { Webhooks } from './webhooks/start-webhooks.ts';
import { type ApiSchema, createSchema } from './schema.ts';
import { createServedFigures, type Siblings } from './serve-figures.ts';
import { createServerKeys, type ServerKeys } from './server-keys.ts';
import { createSignIn } from './server/callers/sign-in/create-sign-in.ts';
import { type Activity, observeActivity } from './metrics/activity-figures.ts';
import { observeDirectory } from './metrics/directory-figures.ts';
import { startMetrics } from './metrics/start-metrics.ts';
import { measureStore } from './store/measured-store.ts';
import { createOwnerGroups } from './server/admission/owner-groups.ts';
import { createServer, type Server } from './server/server.ts';
import { loadTrustedDocuments, type TrustedDocuments } from './server/operation/trusted-documents.ts';
import type { Store } from './store/store.ts';
import { watchClock } from './store/sharing.ts';
import { findPathProblems, knownPaths, untrackableKinds } from './tasks/task-reads.ts';
import { startTracing } from './tracing/start-tracing.ts';

export interface App {
  /** Address of the server, e.g. `http://127.0.0.1:4000`. */
  readonly url: string;
  readonly gatewayUrl: string;
  /** The sandbox gateway. Undefined if `GATEWAY_URL` is set. */
  readonly sandbox: Sandbox | undefined;
  /** Where Prometheus reads the figures. */
  readonly metricsUrl: string | undefined;
  readonly activity: Activity;
  /** Stops new work, waits up to SHUTDOWN_SECONDS for running streams, then closes all sockets. Stock clients reconnect. */
  close(): Promise<void>;
  /** Reads the files of the server's credentials again. Returns false if there are none. */
  reloadKeys(): boolean;
  /** Writes the last log line synchronously, because the process ends at once. */
  logStopAtOnce(signal: string): void;
  /** Logs the reason of a rejected promise that no code handles. */
  logUnhandled(err: unknown): void;
}

export interface AppOverrides {
  /** Wraps the store, for example to inject failures. */
  readonly wrapStore?: (records: Store) => Store;
  /** Also measures how regularly a lease is renewed. @default the system's clock, and that of the database for the minutes of limits */
  readonly clock?: Clock;
  /** Clock for heartbeats and slow clients. @default the system's clock, also when `clock` is set */
  readonly clientClock?: Clock;
  /** Clock for the deadlines of the shutdown. @default the system's clock, also when `clock` is set */
  readonly drainClock?: Clock;
  /** Measures the slices of events. @default the system's */
  readonly eventLoop?: EventLoop;
  readonly log?: Logger;
  /** @default a bus of this process */
  readonly bus?: Bus;
  /** Tables without records, for records in memory: an image of SQLite. @default the migrations create them */
  readonly emptyTables?: Uint8Array;
  /** How long a write of records waits for other processes. @default 10000 */
  readonly lockWaitMs?: number;
  /** Servers of one process may share one. @default the schema of all capabilities */
  readonly schema?: ApiSchema;
  /** Directory of the built playground, if it is on. @default the one of the package */
  readonly playground?: string;
  /** Present if the server has several processes. */
  readonly siblings?: Siblings;
}

/** The operations of the client package. The path is the same in `src` and in `dist`. */
const ownDocuments = fileURLToPath(new URL('client/trusted-documents.json', import.meta.url));

function readTrustedDocuments(config: Config): TrustedDocuments {
  return loadTrustedDocuments(config.TRUSTED_DOCUMENTS, config.TRUSTED_DOCUMENTS_FILES ?? [ownDocuments]);
}

/**
 * Checks what settings name, kinds and files, without starting anything.
 * @throws ConfigError if a kind does not exist, or a file is missing or invalid
 */
export async function checkReferences(config: Config): Promise<void> {
  await readReferences(config, createSchema(allCapabilities));
}

/** Reads what settings refer to. A bad file stops the start before anything is opened. @throws ConfigError */
async function readReferences(config: Config, schema: ApiSchema) {
  checkKinds(config, schema);
  createServerKeys(config);
  return {
    trustedDocuments: readTrustedDocuments(config),
    operator: await readWebhooks(config, schema),
  };
}

/** @throws ConfigError that names every setting with a kind that does not fit */
function checkKinds(
  { GATEWAY_TASK_PATHS: paths = {}, MAX_CREATES_PER_DAY_PER_OWNER: limits = {} }: Config,
  { taskKinds, createdKinds }: Pick<ApiSchema, 'taskKinds' | 'createdKinds'>,
): void {
  const ofPaths = findPathProblems(paths, taskKinds).join('; ');
  const ofLimits = explainUnknownKind(limits, createdKinds) ?? '';
  const problems = Object.entries({ GATEWAY_TASK_PATHS: ofPaths, MAX_CREATES_PER_DAY_PER_OWNER: ofLimits })
    .filter(([, problem]) => problem !== '')
    .map(([name, problem]) => `${name}: ${problem}`);
  if (problems.length > 0) throw new ConfigError(`Invalid setting: ${problems.join('; ')}`);
}

/** The server cannot follow tasks of these kinds, so it never learns when they end. */
function warnOfUncounted(
  { MAX_RUNNING_PER_OWNER: limit }: Config,
  kinds: readonly string[],
  log: Pick<Logger, 'warn'>,
): void {
  if (limit === undefined || kinds.length === 0) return;
  log.warn(
    { kinds },
    `MAX_RUNNING_PER_OWNER does not limit tasks of ${kinds.join(', ')}, because the server cannot follow them: set their paths in GATEWAY_TASK_PATHS, or limit their creates per day`,
  );
}

/** Creates all parts of the server and starts it. @throws ConfigError, or the listen error if the port is taken */
export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const systemClock = createSystemClock();
  const { clock = systemClock, schema: apiSchema = createSchema(allCapabilities) } = overrides;
  const { log, flushSync } = openLog(config, overrides);
  const { trustedDocuments, operator } = await readReferences(config, apiSchema);
  const ownerGroups = createOwnerGroups();
  const opened = await openDeployment(config, overrides, { clock, log, groupOf: ownerGroups.groupOf });
  const { directory, store, records, metrics, exchange } = opened;
  const webhooks = await openWebhooks(config, apiSchema, { ...opened, operator, clock, log });
  const parts = { records, exchange, metrics, clock, log, webhooks, bus: overrides.bus };
  const { engine, sandbox, gatewayUrl, serverKeys, signIn } = await connectEngine(config, apiSchema, parts);
  const maintenance = createMaintenance(config, engine);
  const createCallbacks =
    config.CALLBACK_URLS && (await import('./server/callbacks/callbacks.ts')).createCallbacks;
  let isDraining = false;
  let closing: Promise<void> | undefined;
  const { clientClock = systemClock, drainClock = systemClock, eventLoop, siblings } = overrides;
  const figures = createServedFigures(config, metrics?.read, siblings);
  const server = createServer({
    config,
    engine,
    schema: apiSchema.subgraphSchema,
    operations: apiSchema.operations.filter(({ setting }) => !setting || config[setting] === 'on'),
    exploration: explorationOf(config, overrides.playground),
    gatewayUrl,
    trustedDocuments,
    credentials: config.AUTH === 'jwt' ? undefined : sandbox,
    forwardsHost: sandbox !== undefined && isUnspecified(config.HOST),
    signIn,
    createCallbacks,
    heldKey: serverKeys.heldKey,
    ownerGroups,
    isDraining: () => isDraining,
    serveMetrics: figures.onMainPort,
    clock: clientClock,
    eventLoop,
    maxCallbacksPerOwner: siblings?.maxOpenPerOwner,
  });

  const release = async (): Promise<void> => {
    await server.close();
    await maintenance.close();
    await webhooks?.close();
    await closeEngine(engine);
    await sandbox?.close();
    await figures.close();
    // Limits the wait for receivers that do not answer.
    const sent = Promise.all([engine.tracing?.close(), metrics?.close()]);
    await withTimeout(sent, { clock: systemClock, timeoutMs: 2000 });
  };
  const activity = createActivity(engine, server);
  if (metrics) observeActivity(metrics, activity, () => server.isReady());
  if (metrics && directory) observeDirectory(metrics, config.DATA_DIR, clock);
  try {
    await maintenance.start();
    engine.following.resumeHeld();
    const url = await server.listen(config.PORT, config.HOST);
    engine.startFiles(url);
    webhooks?.start(engine.files);
    await figures.listen();
    // Not before: a start that fails prints one line, which says why.
    if (isLogged(log, 'info'))
      log.info({ version: config.version, settings: findChangedSettings(config) }, 'started');
    const metricsUrl = figures.url ?? (config.METRICS_ON_MAIN_PORT ? `${url}/metrics` : undefined);
    return {
      url,
      gatewayUrl,
      metricsUrl,
      sandbox,
      activity,
      close: () =>
        (closing ??= shutDown({
          engine,
          server,
          store,
          startDrain() {
            directory?.admitNext();
            isDraining = true;
            server.drain();
          },
          release,
          shutdownMs: config.SHUTDOWN_SECONDS * 1000,
          clock: drainClock,
        })),
      reloadKeys() {
        if (serverKeys.canReload) reloadKeys(serverKeys, engine);
        return serverKeys.canReload;
      },
      logStopAtOnce(signal) {
        log.warn({ signal, streams: engine.streams.running }, 'stopped at once');
        flushSync?.();
      },
      logUnhandled: (err) => log.error({ err }, 'defect: no code handles a rejected promise'),
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Opens the records, the figures that measure them, and the connection to the other instances. */
async function openDeployment(
  config: Config,
  overrides: AppOverrides,
  { clock, log, groupOf }: Required<Pick<StoreOptions, 'clock' | 'groupOf'>> & { readonly log: Logger },
) {
  const directory = await lockDataDirectory(config, log);
  const { emptyTables, lockWaitMs, wrapStore = (records: Store) => records } = overrides;
  const minuteClock = overrides.clock && 'instance';
  const leaseTimer = overrides.clock?.elapsed;
  const storeOptions = { clock, emptyTables, lockWaitMs, groupOf, minuteClock, leaseTimer } as const;
  const store = wrapStore(await openStore(config, { ...storeOptions, log, lock: directory }));
  const metrics = await startMetrics(config, { log, instanceId: store.instanceId });
  const system = config.DATABASE_URL === undefined ? 'sqlite' : 'postgresql';
  const measured = metrics ? measureStore(store, metrics, system) : store;
  const records = watchClock(measured, { clock, log, metrics });
  const exchange = await openExchange(config, { records, clock, log });
  return { directory, store, metrics, records, exchange };
}

interface EngineConnections extends Deployment, Pick<EngineParts, 'metrics' | 'clock' | 'bus'> {
  readonly log: Logger;
  readonly webhooks: Webhooks | undefined;
}

/**
 * Connects the engine with its gateway, which is a sandbox if none is configured, and with the keys of the server. Closes the
 * connections if a part cannot be used.
 */
async function connectEngine(config: Config, schema: ApiSchema, parts: EngineConnections) {
  let sandbox: Sandbox | undefined;
  try {
    sandbox = await startSandbox(config);
    return await wireEngine(config, schema, { ...parts, sandbox });
  } catch (error) {
    await sandbox?.close();
    await parts.exchange?.close();
    await parts.records.close();
    throw error;
  }
}

async function wireEngine(
  config: Config,
  { taskKinds, createdKinds, assetsOf }: ApiSchema,
  { sandbox, ...parts }: EngineConnections & { readonly sandbox: Sandbox | undefined },
) {
  const { log, clock, metrics, records: store } = parts;
  const gatewayUrl = sandbox?.url ?? config.GATEWAY_URL ?? '';
  const taskPaths = config.GATEWAY_TASK_PATHS ?? knownPaths(sandbox?.statusPaths ?? {}, taskKinds);
  const tracing = await startTracing(config, { log, instanceId: parts.records.instanceId });
  const untrackable = untrackableKinds(taskPaths, taskKinds).filter((kind) => taskKinds.find(kind));
  warnOfUncounted(config, untrackable, log);
  const serverKeys = createServerKeys(config, sandbox);
  const { heldKey } = serverKeys;
  const signIn = await createSignIn({ config, kinds: createdKinds, heldKey, clock, log });
  const hasSandbox = sandbox !== undefined;
  const files = await openFiles(config, { store, assetsOf, clock, log, metrics, gatewayUrl, hasSandbox });
  const engine = createEngine(config, {
    ...parts,
    gatewayUrl,
    taskKinds,
    taskPaths,
    tracing,
    heldKey,
    files,
    ownerWebhooks: parts.webhooks?.ofOwners,
    onEnd: parts.webhooks?.wake,
  });
  return { engine, sandbox, gatewayUrl, serverKeys, signIn };
}

/** Undefined if files are not kept: then nothing of it is loaded. */
async function openFiles(config: Config, options: OpenFilesOptions): Promise<Files | undefined> {
  if (config.FILES === 'off') return undefined;
  return (await import('./open-files.ts')).openFiles(config, options);
}

/** Keeps the credentials if a file cannot be used. */
function reloadKeys(keys: ServerKeys, { log, serverKeyWatch }: RunningEngine): void {
  try {
    const changed = keys.reload();
    if (changed.length > 0) serverKeyWatch.reset();
    log.info({ changed }, 'read the key files again');
  } catch (err) {
    log.error({ err }, 'could not read the key files again; the keys of before stay in use');
  }
}

function openLog(config: Config, { log, siblings }: AppOverrides): ProgramLog {
  return log ? { log } : createLog(config, siblings && { process: siblings.number });
}

/** Starts the sandbox if no gateway is configured. */
async function startSandbox(config: Config): Promise<Sandbox | undefined> {
  if (config.GATEWAY_URL !== undefined) return undefined;
  const { explainMissingPackages } = await import('./sandbox/packages.ts');
  const missing = explainMissingPackages();
  if (missing !== undefined) throw new ConfigError(`Cannot start: ${missing}, or set GATEWAY_URL`);
  const { createSandbox } = await import('./sandbox/sandbox.ts');
  return createSandbox({
    // Browsers on other machines load media from it.
    ...(isUnspecified(config.HOST) && { host: config.HOST }),
    port: config.SANDBOX_PORT,
    tokensPerSecond: config.SANDBOX_TOKENS_PER_SECOND,
    taskSeconds: config.SANDBOX_TASK_SECONDS,
  });
}

/** Whether a server with this address listens on every address of the machine. */
function isUnspecified(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function createMaintenance(config: Config, engine: RunningEngine): RecordMaintenance {
  return createRecordMaintenance({
    ...engine,
    keyMs: toDurationMs(config.IDEMPOTENCY_HOURS, hourMs),
    generationMs: config.GENERATION_DAYS && toDurationMs(config.GENERATION_DAYS, dayMs),
    areHeldOwnersVerified: config.AUTH !== 'passthrough',
    checkPolls: engine.poller.checkHolders,
    ...createMaintenanceLog(engine),
  });
}

function createActivity(
  { streams, remoteStreams, poller, bus, generationFeeds, generationWatch, serverKeyWatch }: RunningEngine,
  server: Server,
): Activity {
  return {
    get sockets() {
      return server.sockets;
    },
    get streams() {
      return streams.running;
    },
    get watchers() {
      return streams.watchers + (remoteStreams?.watchers ?? 0);
    },
    get polledTasks() {
      return poller.polled;
    },
    get taskWatchers() {
      return poller.watchers;
    },
    get feeds() {
      return bus.subscriptions + generationFeeds.sharing + generationWatch.sharing;
    },
    get unsentBytes() {
      return server.unsentBytes;
    },
    get refusedKeys() {
      return serverKeyWatch.refusedKeys;
    },
  };
}

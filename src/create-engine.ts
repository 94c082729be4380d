import { LRUCache } from 'lru-cache';
import type { Exchange } from './bus/exchange.ts';
import { createSharedBus } from './bus/shared-bus.ts';
import type { Bus } from './bus/bus.ts';
import { combineLimits, limitsOfSettings } from './caller-limits.ts';
import type { Config } from './config.ts';
import type { Files } from './files/files.ts';
import { createAcceptedCallers } from './gateway/accepted-callers.ts';
import type { Caller, HeldKey } from './gateway/caller.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import { createServerKeyWatch, type ServerKeyWatch } from './gateway/server-key-watch.ts';
import { Creations } from './generations/create-once.ts';
import type { Engine } from './generations/engine.ts';
import { createInlineImages } from './generations/inline-images.ts';
import type { OrphanRecovery } from './generations/orphan-recovery.ts';
import { generationTopic } from './generations/publish-changes.ts';
import { createGenerationTraces } from './generations/trace-generations.ts';
import { createLoggedCreates } from './generations/logged-creates.ts';
import { createWriteRetries } from './generations/write-retries.ts';
import { createByteHolds } from './lib/fairness/byte-holds.ts';
import type { Clock } from './lib/clock.ts';
import { createInFlight } from './lib/in-flight.ts';
import type { Log } from './lib/log.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createGenerationFeeds } from './generations/generation-feeds.ts';
import { createGenerationWatch } from './generations/watch-generation.ts';
import { dayMs, hourMs, toDurationMs } from './lib/time.ts';
import { earliestTime } from './store/sharing.ts';
import type { Abandonment, Store } from './store/store.ts';
import { applyRemoteChange } from './streams/remote/apply-remote-change.ts';
import { RemoteStreams } from './streams/remote/remote-streams.ts';
import { Streams } from './streams/streams.ts';
import { createPoller } from './tasks/poller.ts';
import { createResumeFollowing, type ResumeFollowing } from './tasks/resume-following.ts';
import type { TaskKinds } from './tasks/task-kinds.ts';
import { untrackableKinds, type TaskPaths } from './tasks/task-reads.ts';
import { createTasks, type Tasks } from './tasks/tasks.ts';
import type { Tracing } from './tracing/tracing.ts';
import { wrapRecords } from './wrap-records.ts';

export interface EngineParts {
  readonly records: Store;
  readonly gatewayUrl: string;
  readonly taskKinds: TaskKinds;
  readonly taskPaths: TaskPaths;
  readonly clock: Clock;
  readonly log: Log;
  readonly tracing: Tracing | undefined;
  readonly metrics: Metrics | undefined;
  /** The other instances. Absent if the records do not connect instances. */
  readonly exchange?: Exchange | undefined;
  /** The key of the server, for callers who sign in. Absent if it holds none. */
  readonly heldKey?: HeldKey | undefined;
  /** @default a bus of this process */
  readonly bus?: Bus | undefined;
  /** Absent unless the operator allows them. */
  readonly ownerWebhooks?: Engine['ownerWebhooks'];
  /** Called after each write that may have ended a generation. */
  readonly onEnd?: (() => void) | undefined;
  /** @default files are not kept */
  readonly files?: Files | undefined;
}

/** The engine, with the parts that only the process uses that runs it. */
export interface RunningEngine extends Engine {
  /** Begins to keep files, if it does. Call it once, after the start, with the address of the server. */
  readonly startFiles: (url: string) => void;
  readonly recovery: OrphanRecovery;
  readonly serverKeyWatch: ServerKeyWatch;
  /** Resumes polling the unfinished tasks of signed-in callers: call `resumeHeld` once, after the start. */
  readonly following: Pick<ResumeFollowing, 'resumeHeld' | 'close'>;
  readonly bus: Bus;
}

/** Wires the engine's parts together. Starts no work. */
export function createEngine(config: Config, parts: EngineParts): RunningEngine {
  const { clock, log, tracing, metrics, exchange, files } = parts;
  const generationTraces = tracing && createGenerationTraces(tracing);
  const loggedCreates = createLoggedCreates();
  const bus =
    parts.bus ??
    createSharedBus({
      exchange,
      onRemote: (topic, id) => void applyRemoteChange({ streams, store }, topic, id).catch(() => {}),
    });
  const writeRetries = createWriteRetries({
    clock,
    onFailed: (err, what) => log.error({ err }, `could not record ${what}; retrying`),
  });
  const { store, recovery } = wrapRecords(files?.wrap(parts.records) ?? parts.records, {
    ...parts,
    traces: generationTraces,
    loggedCreates,
    streamEnds: config.LOG_STREAM_ENDS,
    bus,
    writeRetries,
  });
  const logMs = config.STREAM_LOG_SECONDS * 1000;
  const streams = new Streams({
    clock,
    logMs,
    onSaveFailed: (err, generationId) =>
      log.warn({ err, generationId }, 'could not save a running stream; retrying'),
    heardSince: exchange && (() => exchange.connectedAt),
    findEnded: (ids) => store.findEnded(ids),
    onCheckFailed: (err) =>
      log.warn({ err }, 'could not check whether another instance ended a running stream; retrying'),
  });
  const acceptedCallers = createAcceptedCallers();
  const serverKeyWatch = createServerKeyWatch({ log, metrics });
  const gateway = createGateway({
    url: parts.gatewayUrl,
    connections: config.GATEWAY_CONNECTIONS,
    timeoutMs: config.GATEWAY_TIMEOUT_SECONDS * 1000,
    stallMs: config.GATEWAY_STALL_SECONDS * 1000,
    readMs: config.GATEWAY_READ_SECONDS * 1000,
    trustedOrigins: config.GATEWAY_TRUSTED_ORIGINS,
    clock,
    tracing,
    log,
    metrics,
    onAccepted(caller, purpose) {
      acceptedCallers.add(caller);
      following.accepted(caller);
      serverKeyWatch.accepted(caller, purpose);
    },
    onKeyRefused: serverKeyWatch.refused,
  });
  const { following, ...taskWork } = createTaskWork(config, { ...parts, store, gateway, bus });
  return {
    gateway,
    acceptedCallers,
    serverKeyWatch,
    store,
    recovery,
    ...taskWork,
    bus,
    ...createFileParts(files, bus),
    generationFeeds: createGenerationFeeds({ store, bus, clock }),
    generationWatch: createGenerationWatch({ store, bus }),
    exchange,
    ownerWebhooks: parts.ownerWebhooks,
    streams,
    remoteStreams:
      exchange &&
      store.sharing &&
      new RemoteStreams({ streams, store, bus, exchange, sharing: store.sharing, clock, logMs }),
    taskKinds: parts.taskKinds,
    ...toEngineLimits(config),
    following,
    hasUnfinishedTask: following.hasUnfinished,
    clock,
    log,
    tracing,
    generationTraces,
    metrics,
    executions: createInFlight(),
    loggedCreates,
    creations: new Creations({
      store,
      bus,
      clock,
      writeRetries,
      abandonment: taskWork.abandonment,
      onDeduplicated: () => metrics?.add('gengraph.creates.deduplicated'),
      onRefused: (facts) => log.info({ ...facts, charged: 'no' }, 'create refused'),
      duplicateIntervalMs: exchange ? 2000 : 200,
    }),
    writeRetries,
    pages: new LRUCache({ max: 1000, maxSize: 50_000, ttl: 30_000 }),
    ...(config.RECORD_INLINE_IMAGES && {
      inlineImages: createInlineImages({ store, maxBytesPerOwner: config.MAX_INLINE_IMAGE_BYTES_PER_OWNER }),
    }),
  };
}

function createFileParts(files: Files | undefined, bus: Bus): Pick<RunningEngine, 'files' | 'startFiles'> {
  const onChanged = (owner: string, id: string): void => bus.publish(generationTopic(owner), id);
  return { files, startFiles: (url) => files?.start({ url, onChanged }) };
}

/** What the settings allow callers, answers and records, and how long streams wait. */
function toEngineLimits(config: Config) {
  const limits = limitsOfSettings(config);
  return {
    acceptedCredential: config.AUTH,
    limitsOf: ({ token }: Caller) => combineLimits(limits, token?.limits),
    maxAnswerBytes: config.MAX_ANSWER_BYTES,
    maxInputBytes: config.MAX_RECORDED_INPUT_BYTES,
    maxThreadBytes: config.MAX_THREAD_BYTES,
    histories: createByteHolds({
      maxBytes: Math.max(config.MAX_ANSWER_BYTES, config.MAX_THREAD_BYTES),
    }),
    maxReplyBytes: config.MAX_RECORDED_REPLY_BYTES,
    streaming: { acceptMs: acceptSecondsOf(config) * 1000, detachMs: config.CHAT_DETACH_SECONDS * 1000 },
  };
}

/** A client that waits for the acceptance is no watcher yet, so its stream would stop if that took longer. */
function acceptSecondsOf({ CHAT_ACCEPT_SECONDS: accept, CHAT_DETACH_SECONDS: detach }: Config): number {
  return accept < detach ? accept : detach / 2;
}

interface TaskWorkParts extends EngineParts {
  readonly store: Store;
  readonly gateway: Gateway;
  readonly bus: Bus;
}

/** Reads, polls and follows tasks. */
function createTaskWork(config: Config, parts: TaskWorkParts) {
  const { store, gateway, bus, taskKinds, clock, log, metrics } = parts;
  const tasks = createTasks({
    store,
    gateway,
    clock,
    kinds: taskKinds,
    paths: parts.taskPaths,
    maxReplyBytes: config.MAX_RECORDED_REPLY_BYTES,
    onReadFailed: (err) => log.error({ err }, 'could not read tasks: defect, or the store is unavailable'),
  });
  const followMs = toDurationMs(config.TASK_FOLLOW_HOURS, hourMs);
  const poller = createPoller({
    tasks: metrics ? countPolls(tasks, metrics) : tasks,
    store,
    bus,
    kinds: taskKinds,
    clock,
    random: Math.random,
    minIntervalMs: config.TASK_POLL_SECONDS * 1000,
    maxIntervalMs: config.TASK_POLL_MAX_SECONDS * 1000,
    failureGraceMs: 30_000,
    followMs,
    onCredentialRefused: (owner) => following.forget(owner),
    onHoldersLost: (owners) => following.resume(owners),
    onShareFailed: (err, what) => log.warn({ err }, `could not record ${what} for other instances`),
    onSaveFailed: (err, taskId) => log.warn({ err, taskId }, 'could not save the last read of a task'),
  });
  const following = createResumeFollowing({
    store,
    poller,
    clock,
    followMs,
    heldKey: parts.heldKey,
    untrackableKinds: untrackableKinds(parts.taskPaths, taskKinds),
    onFailed: (err) =>
      log.warn({ err }, 'could not look up unfinished tasks to poll; the next request retries'),
  });
  const abandonment = (): Abandonment => ({
    canRead: tasks.canRead,
    followedAfter: earliestTime(store, clock) - Math.max(followMs, dayMs),
  });
  return { tasks, poller, following, abandonment };
}

/** Counts the reads of the poller. */
function countPolls(tasks: Tasks, metrics: Metrics): Tasks {
  return {
    ...tasks,
    readAgain(...args) {
      metrics.add('gengraph.task.polls');
      return tasks.readAgain(...args);
    },
  };
}

/** Stops an engine and releases its resources. Does not wait for running streams: drain the engine first. */
export async function closeEngine({
  following,
  poller,
  streams,
  gateway,
  writeRetries,
  remoteStreams,
  exchange,
  files,
  store,
}: RunningEngine): Promise<void> {
  following.close();
  poller.close();
  remoteStreams?.close();
  streams.close();
  await gateway.close();
  await writeRetries.close();
  await files?.close();
  await exchange?.close();
  await store.close();
}

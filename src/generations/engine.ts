import type { LRUCache } from 'lru-cache';
import type { Exchange } from '../bus/exchange.ts';
import type { CallerLimits } from '../caller-limits.ts';
import type { Config } from '../config.ts';
import type { AcceptedCallers } from '../gateway/accepted-callers.ts';
import type { Caller } from '../gateway/caller.ts';
import type { Files } from '../files/files.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { ByteHolds } from '../lib/fairness/byte-holds.ts';
import type { Clock } from '../lib/clock.ts';
import type { InFlight } from '../lib/in-flight.ts';
import type { Log } from '../lib/log.ts';
import type { Abandonment, Store } from '../store/store.ts';
import type { RemoteStreams } from '../streams/remote/remote-streams.ts';
import type { Streams } from '../streams/streams.ts';
import type { Poller } from '../tasks/poller.ts';
import type { TaskKinds } from '../tasks/task-kinds.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { OwnerWebhooks } from '../webhooks/owner-webhooks.ts';
import type { Creations } from './create-once.ts';
import type { InlineImages } from './inline-images.ts';
import type { OperationNotes } from './operation-notes.ts';
import type { GenerationTraces } from './trace-generations.ts';
import type { LoggedCreates } from './logged-creates.ts';
import type { GenerationFeeds } from './generation-feeds.ts';
import type { GenerationWatch } from './watch-generation.ts';
import type { WriteRetries } from './write-retries.ts';

/** The parts that run creates, streams and tasks. Operations name those that they use: `Pick<Engine, 'store'>`. */
export interface Engine {
  readonly gateway: Gateway;
  readonly acceptedCallers: AcceptedCallers;
  /** Settles the orphans of an owner before its records are read. */
  readonly store: Store;
  /** Which unfinished tasks count as abandoned now. */
  readonly abandonment: () => Abandonment;
  readonly creations: Creations;
  readonly loggedCreates: LoggedCreates;
  /** Which credential callers send: a key of the gateway, a token, or either. */
  readonly acceptedCredential: Config['AUTH'];
  /** How much a caller may spend. Undefined if there is no limit. */
  readonly limitsOf: (caller: Caller) => CallerLimits | undefined;
  /** Writes that failed and are retried. */
  readonly writeRetries: WriteRetries;
  readonly streams: Streams;
  /** Streams of other instances. Absent with SQLite. */
  readonly remoteStreams?: RemoteStreams | undefined;
  readonly tasks: Tasks;
  readonly taskKinds: TaskKinds;
  readonly poller: Poller;
  /** Resumes polling after a restart. Call it when the status of an unfinished task is shown. Cheap when repeated. */
  readonly hasUnfinishedTask: (caller: Caller) => void;
  /** Absent unless files are kept. */
  readonly files?: Files | undefined;
  readonly generationFeeds: GenerationFeeds;
  readonly generationWatch: GenerationWatch;
  /** The other instances of the deployment. Absent with SQLite. */
  readonly exchange?: Exchange | undefined;
  /** Absent unless the operator allows them. */
  readonly ownerWebhooks?: OwnerWebhooks | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent unless configured. */
  readonly tracing?: Tracing | undefined;
  /** Present with `tracing`. */
  readonly generationTraces?: GenerationTraces | undefined;
  /** Absent unless configured. */
  readonly metrics?: Metrics | undefined;
  /** Queries and mutations in flight, and files on their way from or to clients. */
  readonly executions: InFlight;
  /** Short-lived cache of gateway listings that change slowly, per owner. The size of a page is its number of items. */
  readonly pages: LRUCache<string, Promise<object>>;
  /** Size limit of one answer, and of the records that are read for it. */
  readonly maxAnswerBytes: number;
  /** Size limit of the request that a generation records. */
  readonly maxInputBytes: number;
  /** Size limit of the records of a thread that a create continues. */
  readonly maxThreadBytes: number;
  /** The threads that creates of an owner continue, until the gateway replies. */
  readonly histories: ByteHolds;
  /** Absent unless requests are recorded with their inline images. */
  readonly inlineImages?: InlineImages | undefined;
  /** Size limit of the reply that a generation or task records beside its output. */
  readonly maxReplyBytes: number;
  readonly streaming: {
    /** Maximum time that the start of a stream waits for the gateway to accept the request. */
    readonly acceptMs: number;
    /** How long a stream without a client's idempotency key continues without watchers. */
    readonly detachMs: number;
  };
}

/** One operation of one caller, with the parts of the engine that it uses. */
export interface Operation<Parts extends Partial<Engine> = Engine> {
  readonly engine: Parts;
  readonly caller: Caller;
  readonly requestId: string;
  readonly notes?: OperationNotes | undefined;
}

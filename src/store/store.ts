import type {
  AccessToken,
  ContentName,
  ContentRef,
  Contents,
  Creation,
  CreationPhase,
  Generation,
  GenerationKind,
  GenerationPatch,
  GenerationSummary,
  Release,
  StoredOutput,
  Task,
} from './records.ts';
import type { CallbackRecords } from './callback-records.ts';
import type { CallerLimits } from '../caller-limits.ts';
import type { ChangePosition, ChangesPage, RecordedChange } from './changes.ts';
import type { LimitUse } from '../errors.ts';
import type { FileRecords } from './file-records.ts';
import type { GenerationFilter } from './generation-filter.ts';
import type { Sharing } from './sharing.ts';
import type { CanRead } from './shown-status.ts';
import type { UsageQuery, UsageTotal } from './usage.ts';
import type { WebhookExpiry, WebhookRecords, WebhookSetup } from './webhook-records.ts';

/** A position in a list that is sorted by time. */
export interface Position {
  readonly createdAt: number;
  readonly id: string;
}

export interface GenerationPage {
  readonly limit: number;
  /** Only entries after this position (older). */
  readonly after?: Position | undefined;
  /** Only entries before this position (newer). */
  readonly before?: Position | undefined;
  /** Returns the last `limit` entries instead of the first, still newest first. */
  readonly fromEnd?: boolean;
}

/** The generations from the first of a conversation to one of it. */
export interface Thread {
  /** Oldest first. If a generation was deleted, those after it. */
  readonly turns: readonly ThreadTurn[];
  /** Whether no generation before was deleted. */
  readonly isWhole: boolean;
}

interface ThreadTurn {
  readonly generation: GenerationSummary;
  /** Size of its request and its output. */
  readonly bytes: number;
}

export interface ThreadSize extends Pick<Thread, 'isWhole'> {
  readonly turns: number;
  readonly bytes: number;
}

/** The first page, or the page after a position. */
type ForwardPage = Pick<GenerationPage, 'limit' | 'after'>;

/** A create or generation whose instance is dead. A create comes before its generation. */
export interface Orphan {
  readonly type: 'creation' | 'generation';
  readonly id: string;
  readonly owner: string;
}

/** Patches for the generations of dead instances. */
export interface Recovery {
  /** For a create that may have been sent: it is unknown whether the gateway accepted it. */
  readonly unknown: CommonEnd;
  /** For an accepted generation whose reply was still streaming. */
  readonly interrupted: CommonEnd;
}

/** The same end for many generations. It changes no contents. */
export interface CommonEnd extends Pick<GenerationPatch, 'status' | 'isVisible' | 'error' | 'filesDueAt'> {
  readonly finishedAt: number;
}

/** The limits of an owner, and what they count. */
export interface Quota {
  readonly limits: CallerLimits;
  /** Abandoned tasks do not count as running. */
  readonly abandonment: Abandonment;
}

export interface ClaimOptions {
  readonly deadline?: Deadline | undefined;
  /** @default the owner has no limits */
  readonly quota?: Quota | undefined;
}

interface DeleteOptions {
  /** Keeps unfinished tasks, except those that this decides to be abandoned. @default unfinished tasks are deleted too */
  readonly keepsUnfinished?: Abandonment | undefined;
}

/** Decides which unfinished tasks are abandoned: this deployment does not learn how they end. */
export interface Abandonment {
  readonly canRead: CanRead;
  /** Tasks created before this time are no longer polled. */
  readonly followedAfter: number;
}

/** Age limits for deletion. Records that an instance works on are never deleted. */
export interface Expiry extends Abandonment, WebhookExpiry {
  /** Deletes idempotency keys claimed before this time, if their create has ended. */
  readonly keysBefore: number;
  /** Deletes the keys of creates that were refused before this time. Absent: deletes none. */
  readonly refusedBefore?: number | undefined;
  /**
   * Deletes generations that ended before this time, with their tasks. The age of abandoned ones counts from their
   * creation. Absent: deletes none.
   */
  readonly generationsBefore?: number | undefined;
  /** Deletes changes from before this time. Absent: deletes none. */
  readonly changesBefore?: number | undefined;
  /** Batch size. Small batches keep the write transaction short. */
  readonly limit: number;
}

/** A deleted generation that clients may have seen. */
export type RemovedGeneration = Pick<Generation, 'id' | 'owner'>;

export interface Swept {
  /** Number of deleted records of all kinds. Fewer than the limit means that none are left. */
  readonly deleted: number;
  /** The visible generations among them. */
  readonly generations: readonly RemovedGeneration[];
}

/** Limits of the generations of one owner, in number and in bytes of their contents and tasks. */
export interface RecordLimits {
  readonly maxRecords: number;
  readonly maxBytes: number;
}

export interface OwnerRecords {
  readonly records: number;
  readonly bytes: number;
}

export interface RoomOptions {
  readonly abandonment: Abandonment;
  readonly deadline?: Deadline | undefined;
  /** The first generation of a conversation that is being continued: it is deleted last. */
  readonly keptRootId?: string | undefined;
}

export interface Room {
  /** Whether a create has a chance: there is room, or something was deleted. */
  readonly hasRoom: boolean;
  readonly generations: readonly RemovedGeneration[];
}

/** Records of a finished create, written in one transaction. */
export interface Settlement {
  readonly phase: Extract<CreationPhase, 'SETTLED' | 'UNKNOWN'>;
  readonly generation?: GenerationPatch;
  readonly accessToken?: AccessToken;
  /** The gateway's id of a cloned voice. */
  readonly clonedVoiceId?: string;
  readonly task?: Task;
  /** The end of the generation if the task is recorded for another one, with which it ends. */
  readonly endIfTaken?: GenerationPatch;
}

/** Which unfinished tasks to find. */
interface UnfinishedTasks {
  readonly createdAfter: number;
  readonly skippedKinds: readonly GenerationKind[];
  readonly limit: number;
}

/** Which owners to find. `after` is empty for the first page. */
interface UnfinishedOwners extends UnfinishedTasks {
  readonly after: string;
}

export interface UnfinishedTask {
  readonly task: Task;
  /** When its generation was created. */
  readonly createdAt: number;
}

/** The stored task after a save, with its generation if that still exists. */
export interface SavedTask {
  readonly task: Task;
  readonly generation?: GenerationSummary | undefined;
}

/** Time on the monotonic clock of `performance.now()`, in milliseconds. Clock steps do not move it. */
export type Deadline = number;

/**
 * Durable records, as used by one instance (process). Every method is one transaction. Methods with an `owner` return
 * records of that owner only. Writes of a generation return its summary, because reading large contents takes long.
 */
export interface Store {
  /** Identifies this instance among all that share the records. */
  readonly instanceId: string;
  /** Absent with SQLite: one instance at a time uses its records. */
  readonly sharing?: Sharing | undefined;
  readonly callbacks: CallbackRecords;

  /** HMAC key for the hashes of owners and fingerprints. Generated once and stored with the records. */
  secret(): Promise<Uint8Array>;

  /** A deadline for waiting for other writers. The writes of one request share it. */
  createDeadline(): Deadline;
  /**
   * Claims the idempotency key and records the creation as one that may have been sent. Only after this may the request be sent:
   * the write survives a power failure. If another creation holds the key, changes nothing and returns that one.
   * @throws RecordsFullError if the owner has no room for the generation
   * @throws LimitReachedError if the owner has used a limit. A key that is in use returns its creation all the same.
   * @throws RecordsUnavailableError also if the claim may have been written: release it
   */
  claim(creation: Creation, generation?: Generation, options?: ClaimOptions): Promise<Creation | undefined>;
  /** What an owner has used of each limit, at this time. */
  measureLimits(owner: string, quota: Quota, now: number): Promise<readonly LimitUse[]>;
  /** The generations of an owner, as the limits count them. Partial output of a running stream does not count yet. */
  measureRecords(owner: string): Promise<OwnerRecords>;
  /**
   * Deletes one batch of the oldest generations of an owner that is at its limits: ended or abandoned ones, conversations as a
   * whole. Their idempotency keys stay.
   */
  makeRoom(owner: string, options: RoomOptions): Promise<Room>;
  /**
   * Records the outcome of a create and returns the stored generation, if there is one. A generation that has ended
   * meanwhile keeps its end, except that a known outcome replaces UNKNOWN.
   */
  settle(creationId: string, settlement: Settlement): Promise<GenerationSummary | undefined>;
  /**
   * Releases the key of a create that was not charged. Deletes its generation, which clients may know from a conflict although it
   * was not visible, unless that has ended. An unknown outcome that another instance recorded, because this one seemed dead, becomes
   * the refusal. Returns the generation that was deleted or changed.
   */
  release(creationId: string, options?: Release): Promise<RemovedGeneration | GenerationSummary | undefined>;
  findCreation(owner: string, key: string): Promise<Creation | undefined>;

  findGenerations(owner: string, ids: readonly string[]): Promise<readonly (Generation | undefined)[]>;
  /** Like `findGenerations`, without reading the contents. */
  findSummaries(owner: string, ids: readonly string[]): Promise<readonly (GenerationSummary | undefined)[]>;
  /** Sizes of contents in bytes of JSON, without reading them. Undefined where there is none. */
  measureContents(owner: string, refs: readonly ContentRef[]): Promise<readonly (number | undefined)[]>;
  findContents<Name extends ContentName>(
    owner: string,
    refs: readonly ContentRef<Name>[],
  ): Promise<readonly (Contents[Name] | undefined)[]>;
  /**
   * Ends a generation. The first end wins: a later one only adds its output, usage and raw. But an end that another instance
   * recorded for one that seemed dead is replaced once: by an end of that instance, or by a cancel while it is alive. Returns the
   * stored generation.
   */
  endGeneration(id: string, end: GenerationPatch): Promise<GenerationSummary | undefined>;
  /**
   * Saves partial output, so that it survives the death of this instance. Returns false if the generation has ended, unless
   * this instance may replace the end.
   */
  saveOutput(id: string, output: StoredOutput): Promise<boolean>;
  /**
   * Returns the ids that this instance must stop working on: ended by anyone, except for it while it seemed dead, or deleted.
   * Cheap, because it is polled while generations run.
   */
  findEnded(ids: readonly string[]): Promise<readonly string[]>;
  /** Whether there is a visible generation. Reads at most one of each combination of filter values. */
  hasGenerations(owner: string, filter: GenerationFilter): Promise<boolean>;
  /** The number of visible generations, at most `limit`. Reads no more than `limit` of them. */
  countGenerations(owner: string, filter: GenerationFilter, limit: number): Promise<number>;
  /** Visible generations, newest first. */
  listGenerations(
    owner: string,
    filter: GenerationFilter,
    page: GenerationPage,
  ): Promise<readonly GenerationSummary[]>;
  /** The path from the first generation of a conversation to this one. Empty if there is none. One statement. */
  findThread(owner: string, id: string): Promise<Thread>;
  /** Sizes of threads, without reading them. Undefined for unknown ids. */
  measureThreads(owner: string, ids: readonly string[]): Promise<readonly (ThreadSize | undefined)[]>;
  /** Visible generations that continue this one directly, oldest first. */
  listContinuations(
    owner: string,
    parentId: string,
    page: ForwardPage,
  ): Promise<readonly GenerationSummary[]>;
  /** At most `limit`. */
  countContinuations(owner: string, parentId: string, limit: number): Promise<number>;
  /** The newest visible generation of each conversation among those that continue another, by its first. One statement for a page. */
  findNewestTurns(
    owner: string,
    rootIds: readonly string[],
  ): Promise<readonly (GenerationSummary | undefined)[]>;
  /** The visible turns of a conversation by its first one, newest first, at most `limit`. */
  listTurns(owner: string, rootId: string, limit: number): Promise<readonly GenerationSummary[]>;
  /** Size of the inline images in an owner's records. */
  measureInlineImages(owner: string): Promise<number>;
  /**
   * The last change of an owner's visible generations. Creates, changes that clients can see, and deletions are changes, by any
   * version on any instance. Saves of running streams are not.
   */
  findLastChange(owner: string): Promise<ChangePosition>;
  /** The changes of an owner in their order, which is the order of their commits. Older ones may be deleted already. */
  listChanges(owner: string, page: ChangesPage): Promise<readonly RecordedChange[]>;
  /**
   * Deletes generations with their tasks, except those that an instance works on. Their idempotency keys stay until they
   * expire. Returns the deleted ids.
   */
  deleteGenerations(
    owner: string,
    ids: readonly string[],
    options?: DeleteOptions,
  ): Promise<readonly string[]>;

  /**
   * Sums of an owner's visible generations by the day of their creation, sorted by day and names. Every write of a generation
   * updates them in the same transaction. Deleted generations stay in them. Returns undefined if there are more totals than
   * the limit.
   */
  sumUsage(owner: string, query: UsageQuery): Promise<readonly UsageTotal[] | undefined>;

  /** Sizes of task records in bytes of JSON, without reading large ones. Undefined for unknown tasks. */
  measureTasks(owner: string, ids: readonly string[]): Promise<readonly (number | undefined)[]>;
  findTasks(owner: string, ids: readonly string[]): Promise<readonly (Task | undefined)[]>;
  /**
   * Saves a task and the patch for its generation. Does nothing if the stored task has already ended (another instance may
   * have read its end), if its generation was deleted, or if only the stored task has a generation. Saves of one turn of the event loop may share a transaction.
   */
  saveTask(task: Task, generation?: GenerationPatch): Promise<SavedTask>;

  /** An owner's unfinished tasks that were created here, newest first. Tasks of the kinds to skip are left out. */
  findUnfinishedTasks(owner: string, selection: UnfinishedTasks): Promise<readonly UnfinishedTask[]>;

  /** Owners with unfinished tasks that were created here, sorted, after the name of an owner. */
  findUnfinishedOwners(selection: UnfinishedOwners): Promise<readonly string[]>;

  /** Whether a create of this owner cloned a voice with this gateway id. */
  hasClonedVoice(owner: string, voiceId: string): Promise<boolean>;

  findAccessTokens(owner: string, ids: readonly string[]): Promise<readonly (AccessToken | undefined)[]>;
  /** At most `limit`. */
  countAccessTokens(owner: string, limit: number): Promise<number>;
  /** Newest first. */
  listAccessTokens(owner: string, page: ForwardPage): Promise<readonly AccessToken[]>;

  /** The unfinished work of dead instances. Those of one owner are in the order in which to settle them. */
  findOrphans(): Promise<readonly Orphan[]>;
  /**
   * Settles orphans: marks creates as UNKNOWN and interrupts running generations. If their instance was alive, it may replace
   * these ends. Skips orphans that another instance has settled. Pass few at a time: it is one transaction. Returns the
   * generations that it ended.
   */
  recover(orphans: readonly Orphan[], recovery: Recovery): Promise<readonly GenerationSummary[]>;
  /** Deletes one batch of expired records. */
  sweep(expiry: Expiry): Promise<Swept>;

  /** The records of files. Loaded only if files are copied. */
  openFiles(): Promise<FileRecords>;
  /**
   * Records which webhooks get the ends of generations from now on. Call at the start, also without webhooks: returns undefined
   * then.
   */
  setUpWebhooks(setup: WebhookSetup): Promise<WebhookRecords | undefined>;

  /** Whether records can be written. The answer may be cached for a few seconds. */
  isReady(): Promise<boolean>;
  /** The process ends soon: from now on, no operation waits for records that are away or locked. */
  stopWaiting(): void;
  close(): Promise<void>;
}

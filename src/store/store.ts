import type {
  AccessToken,
  Creation,
  CreationPhase,
  Generation,
  GenerationKind,
  GenerationPatch,
  StoredOutput,
  Task,
  TaskStatus,
} from './records.ts';

export interface GenerationFilter {
  readonly kinds?: readonly GenerationKind[] | undefined;
  readonly statuses?: readonly TaskStatus[] | undefined;
  readonly models?: readonly string[] | undefined;
  readonly group?: string | undefined;
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
}

/** Whether a generation is among those that a filter names. */
export function isMatch(generation: Generation, filter: GenerationFilter): boolean {
  return (
    (!filter.kinds || filter.kinds.includes(generation.kind)) &&
    (!filter.statuses || filter.statuses.includes(generation.status)) &&
    (!filter.models || (generation.model !== undefined && filter.models.includes(generation.model))) &&
    (filter.group === undefined || filter.group === generation.group) &&
    (filter.createdAfter === undefined || generation.createdAt > filter.createdAfter) &&
    (filter.createdBefore === undefined || generation.createdAt < filter.createdBefore)
  );
}

/** A place in the list of generations, newest first. */
export interface GenerationPosition {
  readonly createdAt: number;
  readonly id: string;
}

export interface GenerationPage {
  readonly limit: number;
  /** Only what comes after this place (older). */
  readonly after?: GenerationPosition | undefined;
  /** Only what comes before this place (newer). */
  readonly before?: GenerationPosition | undefined;
  /** Takes the last `limit` instead of the first; the order of the result stays newest first. */
  readonly fromEnd?: boolean;
}

/** The first page, or what comes after a place (older). */
export type AccessTokenPage = Pick<GenerationPage, 'limit' | 'after'>;

/** How work looks whose process died. */
export interface Recovery {
  /** Nobody can know whether the gateway accepted it. */
  readonly unknown: GenerationPatch;
  /** It was accepted and its reply was under way. */
  readonly interrupted: GenerationPatch;
}

/** What may be deleted for its age. Whatever a process works on stays. */
export interface Expiry {
  /** Idempotency keys that were claimed before this, once their create is over. */
  readonly keysBefore: number;
  /** Generations that ended before this, with their tasks and keys. None when absent. */
  readonly generationsBefore?: number | undefined;
  /** Kinds whose end never shows: their age counts from their creation. */
  readonly endlessKinds: readonly GenerationKind[];
  /** At most this many records at once, so that nobody waits for long. */
  readonly limit: number;
}

/** What a create's end leaves behind, written together. */
export interface Settlement {
  readonly phase: Extract<CreationPhase, 'SETTLED' | 'UNKNOWN'>;
  readonly generation?: GenerationPatch;
  readonly accessToken?: AccessToken;
  readonly task?: Task;
}

/** A task as it stands after it was to be saved, with its generation where that is still there. */
export interface SavedTask {
  readonly task: Task;
  readonly generation?: Generation | undefined;
}

/**
 * Durable records, as one instance (a process) uses them. Every method is one transaction, and what it returns is its
 * owner's only: a record of somebody else is not there.
 */
export interface Store {
  /** Names this instance among those that share the records. */
  readonly instanceId: string;

  /** Random bytes made once and kept with the records: they key the hashes of owners and fingerprints. */
  secret(): Promise<Uint8Array>;

  /**
   * Claims the creation's key and records the intent; or changes nothing and returns the creation that holds the key.
   * A claim whose instance died before anything was sent is taken over.
   */
  claim(creation: Creation, generation?: Generation): Promise<Creation | undefined>;
  /**
   * Before the first byte leaves; survives also the loss of power. False when the claim is gone: another instance took
   * this one for dead, and nothing may be sent.
   */
  markSending(creationId: string): Promise<boolean>;
  /**
   * Returns the generation as it is then, where the create makes one. What has ended meanwhile stays as it ended; but an
   * outcome that was taken for unknown is known by this.
   */
  settle(creationId: string, settlement: Settlement): Promise<Generation | undefined>;
  /**
   * Gives the key back after a create that cannot have cost anything, and forgets its generation unless that has ended or is
   * to be kept.
   */
  release(creationId: string, options?: { readonly keepGeneration?: boolean }): Promise<void>;
  findCreation(owner: string, key: string): Promise<Creation | undefined>;

  findGenerations(owner: string, ids: readonly string[]): Promise<readonly (Generation | undefined)[]>;
  /**
   * Ends a generation, unless it has ended already: the first end wins, and a later one only adds the output, usage and
   * raw that it brings. Returns the generation as it is then.
   */
  endGeneration(id: string, end: GenerationPatch): Promise<Generation | undefined>;
  /** How far the output has come, for whoever asks after this instance died. False once the generation has ended. */
  saveOutput(id: string, output: StoredOutput): Promise<boolean>;
  /**
   * Of generations that this instance works on, those that it has to let go of: ended, whoever ended them, or gone.
   * Asked again and again while something runs, hence cheap.
   */
  findEnded(ids: readonly string[]): Promise<readonly string[]>;
  /** Newest first; only visible ones. */
  listGenerations(
    owner: string,
    filter: GenerationFilter,
    page: GenerationPage,
  ): Promise<readonly Generation[]>;
  /**
   * Deletes generations with their tasks and idempotency keys, but for those that an instance works on. Returns the ids
   * of those that are gone by this.
   */
  forgetGenerations(owner: string, ids: readonly string[]): Promise<readonly string[]>;

  findTasks(owner: string, ids: readonly string[]): Promise<readonly (Task | undefined)[]>;
  /**
   * Records a task's state, and together with it what that means for its generation. Does nothing where the task has ended
   * by then, as another instance may have found, or where its generation was forgotten meanwhile.
   */
  saveTask(task: Task, generation?: GenerationPatch): Promise<SavedTask>;

  findAccessTokens(owner: string, ids: readonly string[]): Promise<readonly (AccessToken | undefined)[]>;
  /** Newest first. */
  listAccessTokens(owner: string, page: AccessTokenPage): Promise<readonly AccessToken[]>;

  /** Says that this instance lives; to be repeated well within the lease. */
  renewLease(): Promise<void>;
  /**
   * Settles the work of dead instances: what was claimed is forgotten, what was being sent has an unknown outcome, what
   * was under way is interrupted. Returns the generations that changed.
   */
  recover(recovery: Recovery): Promise<readonly Generation[]>;
  /** Deletes what has expired. Returns how many records went, fewer than the limit when no more are left. */
  sweep(expiry: Expiry): Promise<number>;

  /** Whether records can be written right now, as found out a few seconds ago at most. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
}

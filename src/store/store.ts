import type {
  AccessToken,
  Creation,
  CreationPhase,
  Generation,
  GenerationKind,
  GenerationPatch,
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

/** What a create's end leaves behind, written together. */
export interface Settlement {
  readonly phase: Extract<CreationPhase, 'SETTLED' | 'UNKNOWN'>;
  readonly generation?: GenerationPatch;
  readonly accessToken?: AccessToken;
  readonly task?: Task;
}

/**
 * Durable records. Every method is one transaction, and what it returns is its owner's only: a record of somebody else
 * is not there.
 */
export interface Store {
  /** Random bytes made once and kept with the records: they key the hashes of owners and fingerprints. */
  secret(): Promise<Uint8Array>;

  /** Claims the creation's key and records the intent; or changes nothing and returns the creation that holds the key. */
  claim(creation: Creation, generation?: Generation): Promise<Creation | undefined>;
  /** Committed before the first byte leaves. */
  markSending(creationId: string): Promise<void>;
  /** Returns the generation as it is then, where the create makes one. */
  settle(creationId: string, settlement: Settlement): Promise<Generation | undefined>;
  /** Gives the key back after a create that cannot have cost anything, and forgets its generation unless told to keep it. */
  release(creationId: string, options?: { readonly keepGeneration?: boolean }): Promise<void>;
  findCreation(owner: string, key: string): Promise<Creation | undefined>;

  findGenerations(owner: string, ids: readonly string[]): Promise<readonly (Generation | undefined)[]>;
  updateGeneration(id: string, patch: GenerationPatch): Promise<Generation | undefined>;
  /** Newest first; only visible ones. */
  listGenerations(
    owner: string,
    filter: GenerationFilter,
    page: GenerationPage,
  ): Promise<readonly Generation[]>;

  findTasks(owner: string, ids: readonly string[]): Promise<readonly (Task | undefined)[]>;
  /** Records a task's state, and together with it what that means for its generation. */
  saveTask(task: Task, generation?: GenerationPatch): Promise<Generation | undefined>;

  findAccessTokens(owner: string, ids: readonly string[]): Promise<readonly (AccessToken | undefined)[]>;

  /** Whether records can be read and written right now. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
}

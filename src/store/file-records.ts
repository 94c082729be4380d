import { hourMs } from '../lib/time.ts';
import type { PendingWork } from '../metrics/pending-figures.ts';
import type { StoredOutput, Task } from './records.ts';

/** PENDING: it will be copied. */
export type FileState = 'PENDING' | 'STORED' | 'FAILED';

/** Why a file is not in the store. */
export type FileFailure =
  | 'NOT_FOUND'
  | 'UNREACHABLE'
  | 'REFUSED_ADDRESS'
  | 'TOO_LARGE'
  | 'WRONG_TYPE'
  | 'NO_ROOM'
  | 'REMOVED';

/** A file of a generation, or an upload. Its id is also its key in the store, unless the owner has the same content already. */
export interface FileRecord {
  readonly id: string;
  readonly owner: string;
  /** Absent for an upload. */
  readonly generationId?: string | undefined;
  /** Among the assets of the generation. */
  readonly position?: number | undefined;
  readonly state: FileState;
  readonly failure?: FileFailure | undefined;
  /** Absent if it came inline. */
  readonly sourceUrl?: string | undefined;
  /** Where the store has its content. */
  readonly stored?: StoredFile | undefined;
}

/** Content as it was checked. */
export interface FileContent {
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
  /** Of the first bytes. */
  readonly contentType: string;
  readonly sizeBytes: number;
}

export interface StoredFile extends FileContent {
  readonly key: string;
}

/** A generation that has ended with files that are not recorded yet. */
export interface DueGeneration {
  readonly id: string;
  readonly owner: string;
  readonly dueAt: number;
}

export interface PlannedFile {
  readonly position: number;
  readonly sourceUrl?: string | undefined;
  /**
   * Of an inline file. KEPT: the record of before has the content, which nothing else has. CHANGED: the output has other content
   * than the record of before. @default the record of before stays, if there is one
   */
  readonly inline?: 'KEPT' | 'CHANGED' | undefined;
}

/** An output without the inline files that are in the store. */
export interface MovedOutput {
  readonly output: StoredOutput;
  /** As measured before it was read: what has changed since is not replaced. */
  readonly outputBytes: number | undefined;
  /** The task that has the same output. */
  readonly task?: { readonly record: Task; readonly bytes: number | undefined } | undefined;
}

/** A file that this instance copies. */
export interface ClaimedFile {
  readonly id: string;
  readonly owner: string;
  readonly generationId: string;
  readonly position: number;
  readonly sourceUrl?: string | undefined;
  /** With this one. */
  readonly attempts: number;
  readonly createdAt: number;
}

/** Which due files to take. */
export interface DueFiles {
  readonly limit: number;
  /** Those that this instance copies already. */
  readonly active: ReadonlySet<string>;
  /** Leaves out those whose address begins with one of these. @default none */
  readonly except?: readonly string[] | undefined;
}

/** What is needed to commit a file. */
export type CommittedFile = Pick<FileRecord, 'id' | 'owner' | 'generationId'>;

/** A file that a client may send. */
export interface Upload extends CommittedFile {
  /** As declared. */
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface UploadLimits {
  readonly maxUploads: number;
  /** @default no limit */
  readonly maxDeclaredBytes?: number | undefined;
}

/** The key under which a client may write the file of an upload to the store itself, until it is checked. */
export function uncheckedKeyOf(uploadId: string): string {
  return `${uploadId}.new`;
}

/** Stored content that a generation uses, by the id that its request names. */
export interface UsedFile {
  readonly id: string;
  readonly key: string;
}

/** Limits of the stored bytes. */
export interface FileLimits {
  readonly maxBytesPerOwner: number;
  readonly maxTotalBytes: number;
}

/**
 * STORED: `key` has the content. MISSING: nothing has the content, because the object with the same content was deleted
 * meanwhile: write it. FULL: a limit is reached. GONE: nobody needs the file any more.
 */
export type CommitResult =
  | { readonly type: 'STORED'; readonly key: string }
  | { readonly type: 'FULL'; readonly scope: RoomScope }
  | { readonly type: 'MISSING' | 'GONE' };

/** Whose limit is reached. */
export type RoomScope = 'owner' | 'total';

export interface GenerationFiles {
  /** In the order of their positions. */
  readonly files: readonly FileRecord[];
  /** Whether its files are not recorded yet. */
  readonly isDue: boolean;
}

/** No file is postponed for longer. One that is due later was postponed while the clock was ahead. */
export const maxPostponedMs = 2 * hourMs;

/** Records of files. Each file is copied by one instance at a time, and by another one if that dies. */
export interface FileRecords {
  /** Generations due before this time, or so much later that the clock was ahead, after as many of them as `skipped`. */
  findDue(before: number, limit: number, skipped?: number): Promise<readonly DueGeneration[]>;
  /** Those of these generations that are due. */
  findDueOf(ids: readonly string[]): Promise<readonly DueGeneration[]>;
  /** Replaces the recorded files of a generation, and its output if files of it were moved. Does nothing if it has changed. */
  plan(generation: DueGeneration, files: readonly PlannedFile[], moved?: MovedOutput): Promise<void>;
  /** Takes files to copy, those first that have been due for the longest time. */
  claim(now: number, selection: DueFiles): Promise<readonly ClaimedFile[]>;
  /** Files that wait for their copy. A generation whose files could not be recorded for over a minute counts as one. */
  measurePending(): Promise<PendingWork>;
  /** The key of the same content of this owner. */
  findSame(owner: string, hash: string): Promise<string | undefined>;
  /**
   * Records that the content is in the store, if `isWritten` under the id of the file, else under the key of the same content. A
   * generation is due again with its last inline file: its output can do without them.
   */
  commit(
    file: CommittedFile,
    content: FileContent & { readonly isWritten: boolean; readonly now: number; readonly limits: FileLimits },
  ): Promise<CommitResult>;
  postpone(file: Pick<ClaimedFile, 'id'>, dueAt: number): Promise<void>;
  /** Makes those files due that were postponed while the clock was ahead. */
  hasten(now: number): Promise<void>;
  fail(file: ClaimedFile, failure: FileFailure): Promise<void>;
  /** Removes the oldest content of the owner, or of all, until so many bytes remain, or a batch. Returns false if more remain and there was none. */
  makeRoom(owner: string, scope: RoomScope, maxBytes: number): Promise<boolean>;
  /** Keys that may be deleted from the store, in their order, after as many of them as `skipped`. */
  findDeletions(limit: number, skipped: number): Promise<readonly string[]>;
  /** Returns those of the keys that nothing refers to. From now on, nothing will. */
  release(keys: readonly string[]): Promise<readonly string[]>;
  /** Call when the keys have been deleted from the store. */
  finishDeletions(keys: readonly string[]): Promise<void>;
  /** Those of the keys that no record knows. */
  findUnknown(keys: readonly string[]): Promise<readonly string[]>;
  /** The files of generations, in their order. */
  find(owner: string, generationIds: readonly string[]): Promise<readonly GenerationFiles[]>;
  /** Returns false if the owner has as many uploads already, or if they declare as many bytes. */
  createUpload(upload: Upload, limits: UploadLimits): Promise<boolean>;
  /** An upload that has no content and that no other instance receives: this one may. */
  claimUpload(id: string, now: number): Promise<Upload | undefined>;
  /** Whether another instance receives it now. */
  isReceived(id: string): Promise<boolean>;
  /** Removes uploads that have expired. What generations use stays. Returns the number. */
  expireUploads(now: number, limit: number): Promise<number>;
  /** Keeps content as long as a generation. Does nothing if that is gone. */
  use(owner: string, generationId: string, files: readonly UsedFile[], now: number): Promise<void>;
  /** An upload, or what a generation of the owner uses under this id. */
  findUsable(owner: string, id: string): Promise<FileRecord | undefined>;
  /** A stored file of any owner. */
  findStored(id: string): Promise<StoredFile | undefined>;
}

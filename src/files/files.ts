import type { Readable } from 'node:stream';
import type { FileRecord, GenerationFiles, StoredFile } from '../store/file-records.ts';
import type { Store } from '../store/store.ts';
import type { ByteRange } from './file-store.ts';
import type { VerifiedPath } from './signed-paths.ts';

/** Files of generations that remain, in a store of this deployment. */
export interface Files {
  /** Wraps the records: what ends a generation also says that its files are to be copied. */
  wrap(store: Store): Store;
  /** Begins to copy, and to delete what nothing refers to. */
  start(options: FilesStart): void;
  close(): Promise<void>;
  /** The files of an owner's generations. */
  find(owner: string, generationIds: readonly string[]): Promise<readonly GenerationFiles[]>;
  /** An address from which anybody can read a stored file until it expires. */
  addressOf(file: Pick<FileRecord, 'id'> & { readonly stored: StoredFile }): Promise<FileAddress>;
  /** Where clients read and upload, if that is the store itself. */
  readonly storeOrigin: string | undefined;
  /** The file at a path and query of this server. Undefined if nobody may read it now. */
  findAt(path: string): Promise<ServedFile | undefined>;
  /** An address to PUT one file to. Or the problem of a member of the input. @throws RateLimitError for owners without a record */
  createUpload(owner: string, declared: DeclaredUpload): Promise<UploadAddress | UploadProblem>;
  /** Receives the file of an upload at a path and query of this server. @throws RateLimitError if too many bytes arrive */
  receive(
    path: string,
    body: AsyncIterable<Uint8Array>,
    declaredBytes: number | undefined,
  ): Promise<UploadOutcome>;
  /** What the gateway can read of an asset or an upload of this owner, or why it cannot. @throws like `receive` */
  findInput(owner: string, id: string): Promise<InputFile | string>;
  /** These files are in use as long as the generation is. */
  keepInputs(owner: string, generationId: string, files: readonly InputFile[]): Promise<void>;
  /** Undefined if the store has lost it. */
  open(file: StoredFile, range?: ByteRange): Promise<Readable | undefined>;
}

export interface DeclaredUpload {
  readonly contentType: string;
  readonly sizeBytes: number;
}

export interface UploadAddress extends FileAddress {
  readonly id: string;
}

export interface UploadProblem {
  readonly member: keyof DeclaredUpload;
  readonly message: string;
}

/** UNKNOWN: the address is not valid, or the file has been uploaded, or is being uploaded. */
export type UploadOutcome = 'STORED' | 'UNKNOWN' | 'WRONG_SIZE' | 'WRONG_TYPE' | 'NO_ROOM';

export interface InputFile {
  readonly id: string;
  readonly url: string;
  readonly sentAs: 'PROVIDER_URL' | 'SIGNED_URL' | 'DATA_URI';
  /** Absent if this deployment does not keep it. */
  readonly stored?: StoredFile | undefined;
}

export interface FilesStart {
  /** Of this server, as clients see it. */
  readonly url: string;
  /** The files of this generation have changed. */
  readonly onChanged: (owner: string, generationId: string) => void;
}

export interface FileAddress {
  readonly url: string;
  readonly expiresAt: number;
}

export interface ServedFile extends Pick<VerifiedPath, 'expiresAt'> {
  readonly file: StoredFile;
  /** Text for `Content-Disposition`. */
  readonly disposition: string;
}

export function assetIdOf(generationId: string, position: number): string {
  return `${generationId}.${position}`;
}

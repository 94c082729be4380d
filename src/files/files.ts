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
  addressOf(file: FileRecord & { readonly stored: StoredFile }): Promise<FileAddress>;
  /** The file at a path and query of this server. Undefined if nobody may read it now. */
  findAt(path: string): Promise<ServedFile | undefined>;
  /** Undefined if the store has lost it. */
  open(file: StoredFile, range?: ByteRange): Promise<Readable | undefined>;
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

/** The id of an asset. */
export function assetIdOf(generationId: string, position: number): string {
  return `${generationId}.${position}`;
}

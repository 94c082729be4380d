import type { Readable } from 'node:stream';

/** A part of a file: the bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface PutOptions {
  readonly contentType: string;
  readonly sizeBytes: number;
}

export interface PresignOptions {
  readonly startsAt: number;
  readonly expiresAt: number;
  readonly contentType: string;
  readonly disposition: string;
}

export interface PresignUploadOptions {
  readonly sizeBytes: number;
  readonly lifetimeMs: number;
}

/** Where the content of files is. Knows nothing of owners and generations. */
export interface FileStore {
  /** Stores a complete local file under a key, and removes it or leaves it. Replaces what is there. */
  put(key: string, path: string, options: PutOptions): Promise<void>;
  /** Undefined if there is nothing. */
  open(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Succeeds if there is nothing. */
  delete(key: string): Promise<void>;
  has(key: string): Promise<boolean>;
  /** Of the addresses below. Absent if it has none. */
  readonly origin?: string | undefined;
  /** An address of the store from which anybody can read the file until it expires. Absent if it has none. */
  readonly presign?: ((key: string, options: PresignOptions) => Promise<string>) | undefined;
  /** An address of the store to which anybody can PUT a file of exactly this size until it expires. Absent if it has none. */
  readonly presignUpload?: ((key: string, options: PresignUploadOptions) => Promise<string>) | undefined;
  /** All keys, in batches. */
  list(): AsyncIterable<readonly string[]>;
  /** Ends the requests that wait for a store that is silent. */
  close(): void;
}

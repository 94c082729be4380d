import { asWebAddress } from '../lib/addresses.ts';
import type { Clock } from '../lib/clock.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type {
  ClaimedFile,
  CommittedFile,
  FileContent,
  FileLimits,
  FileRecords,
  RoomScope,
} from '../store/file-records.ts';
import { decodeBase64, download, maxMissingAttempts } from './download.ts';
import { FileFailedError, FileRetryError } from './file-errors.ts';
import type { FileStore } from './file-store.ts';
import type { PlanFiles } from './plan-files.ts';
import { receiveFile } from './receive-file.ts';
import type { Allowance } from './unknown-owners.ts';

export interface CopyFileOptions {
  readonly records: Pick<FileRecords, 'findSame' | 'commit' | 'makeRoom'>;
  readonly fileStore: Pick<FileStore, 'put' | 'delete'>;
  readonly outgoing: Pick<Outgoing, 'send'>;
  readonly findAssets: PlanFiles['findAssets'];
  /** Where this server reaches an address. */
  readonly toReachable: (url: string) => string;
  readonly clock: Pick<Clock, 'now'>;
  readonly limits: FileLimits & { readonly maxBytes: number };
  /** Whether the oldest files make room for new ones. */
  readonly removesOldest: boolean;
  readonly timeoutMs: number;
}

export type Copied = 'STORED' | 'GONE';

export interface LocalCopy {
  /** Of the local file. */
  readonly path: string;
  readonly signal: AbortSignal;
}

/**
 * Copies a file to the store, by way of a local file: nothing is in the store before it is checked.
 * @throws FileFailedError, FileRetryError, or the error of the store or the records
 */
export async function copyFile(
  file: ClaimedFile,
  local: LocalCopy,
  options: CopyFileOptions,
): Promise<Copied> {
  return storeFile(file, { path: local.path, content: await receive(file, local, options) }, options);
}

export interface ReceivedFile {
  /** Of the local file. */
  readonly path: string;
  readonly content: FileContent;
}

export interface StoreFileOptions extends Pick<
  CopyFileOptions,
  'records' | 'fileStore' | 'clock' | 'limits' | 'removesOldest'
> {
  /** Whether a file of this owner may remove so many bytes of any owner. @default always */
  readonly mayRemove?: Allowance | undefined;
}

/** Moves a checked local file to the store, unless its owner has the same content there. @throws FileFailedError NO_ROOM */
export async function storeFile(
  file: CommittedFile,
  { path, content }: ReceivedFile,
  options: StoreFileOptions,
): Promise<Copied> {
  const { records, fileStore, limits, clock } = options;
  const same = await records.findSame(file.owner, content.hash);
  let isWritten = false;
  const write = async (): Promise<void> => {
    await fileStore.put(file.id, path, content);
    isWritten = true;
  };
  if (same === undefined) await write();
  for (;;) {
    const result = await records.commit(file, { ...content, isWritten, now: clock.now(), limits });
    switch (result.type) {
      case 'STORED':
      case 'GONE':
        return result.type;
      case 'MISSING':
        await write();
        break;
      case 'FULL': {
        if (await makeRoom(file.owner, result.scope, content.sizeBytes, options)) break;
        // Nobody counts it. What is left by a failure is deleted with the record of the file.
        if (isWritten) await fileStore.delete(file.id).catch(() => {});
        throw new FileFailedError('NO_ROOM', `No room for the file (${result.scope})`);
      }
      default:
        result satisfies never;
    }
  }
}

/** Removes the oldest files, or returns false. */
async function makeRoom(
  owner: string,
  scope: RoomScope,
  bytes: number,
  { records, limits, removesOldest, mayRemove = async () => true }: StoreFileOptions,
): Promise<boolean> {
  const isOwn = scope === 'owner';
  const maxBytes = (isOwn ? limits.maxBytesPerOwner : limits.maxTotalBytes) - bytes;
  if (!removesOldest || maxBytes < 0) return false;
  return (isOwn || (await mayRemove(owner, bytes))) && records.makeRoom(owner, scope, maxBytes);
}

async function receive(
  file: ClaimedFile,
  { path, signal }: LocalCopy,
  { findAssets, outgoing, toReachable, timeoutMs, limits: { maxBytes } }: CopyFileOptions,
): Promise<FileContent> {
  const asset = (await findAssets(file.owner, file.generationId))[file.position];
  const { sourceUrl } = file;
  if (!asset || asWebAddress(asset.url) !== sourceUrl)
    throw new FileRetryError('NOT_FOUND', 'The output has changed', { maxAttempts: 2 });
  if (sourceUrl === undefined)
    return receiveFile(decodeBase64(asset.base64 ?? ''), { path, maxBytes, kind: asset.kind, signal });
  const { body, kind, isPage, destroy } = await download(asset, toReachable(sourceUrl), {
    outgoing,
    timeoutMs,
    maxBytes,
    signal,
  });
  try {
    return await receiveFile(body, { path, maxBytes, kind, signal });
  } catch (error) {
    // Such as the page of a provider in maintenance, with the status 200.
    if (isPage && error instanceof FileFailedError && error.failure === 'WRONG_TYPE')
      throw new FileRetryError(error.failure, error.message, {
        maxAttempts: maxMissingAttempts,
        cause: error,
      });
    throw error;
  } finally {
    destroy();
  }
}

import { rm } from 'node:fs/promises';
import { FilesUnavailableError, RateLimitError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { randomId } from '../lib/ids.ts';
import { codeOf } from '../lib/thrown.ts';
import { dayMs } from '../lib/time.ts';
import { wait } from '../lib/wait.ts';
import { type FileRecords, type Upload, uncheckedKeyOf } from '../store/file-records.ts';
import { storeFile, type StoreFileOptions } from './copy-file.ts';
import { FileFailedError } from './file-errors.ts';
import type { ReserveArrival } from './arriving-uploads.ts';
import type { FileStore } from './file-store.ts';
import type { Files, UploadOutcome } from './files.ts';
import { fileKindOf, receiveFile } from './receive-file.ts';
import type { SignedPaths } from './signed-paths.ts';
import type { Allowance } from './unknown-owners.ts';

export interface UploadsOptions extends StoreFileOptions {
  readonly records: StoreFileOptions['records'] &
    Pick<FileRecords, 'createUpload' | 'claimUpload' | 'isReceived' | 'postpone'>;
  readonly fileStore: Pick<FileStore, 'put' | 'open' | 'delete' | 'presignUpload'>;
  /** Whether clients write to the store itself, if it has addresses for it. */
  readonly sharesStoreAddresses: boolean;
  /** Whether an owner may prepare another upload. */
  readonly mayPrepare: Allowance;
  /** Whether an owner may declare so many bytes. */
  readonly mayDeclare: Allowance;
  /** How long an address of the store is valid. */
  readonly addressMs: number;
  readonly paths: SignedPaths;
  /** Of this server. */
  readonly url: () => string;
  /** Of a local file with this name. */
  readonly pathOf: (name: string) => string;
  /** The uploads that this instance receives. */
  readonly active: Set<string>;
  readonly reserve: ReserveArrival;
  readonly clock: Clock;
}

export interface Uploads extends Pick<Files, 'createUpload' | 'receive'> {
  /** Checks and stores what a client has written to the store itself. */
  adopt(id: string): Promise<UploadOutcome>;
}

const maxUploadsPerOwner = 1000;
const retryAfterSeconds = 600;
/** Between two looks at an upload that another server checks. */
const otherCheckMs = 100;
/** The local disk is full or fails, which is no fault of the client. */
const diskFaults = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'ENOTDIR', 'EMFILE', 'ENFILE'];

/** Files from clients, for the inputs of creates. */
export function createUploads(options: UploadsOptions): Uploads {
  const { records, paths, limits, clock, active, reserve, fileStore, addressMs, mayPrepare, mayDeclare } =
    options;
  const presign = options.sharesStoreAddresses ? fileStore.presignUpload : undefined;
  /** Claims an upload for one request. The client may try again after every failure. */
  const claim = async (
    id: string,
    receive: (upload: Upload) => Promise<UploadOutcome>,
  ): Promise<UploadOutcome> => {
    if (active.has(id)) return 'UNKNOWN';
    active.add(id);
    try {
      const upload = await records.claimUpload(id, clock.now());
      if (!upload) return 'UNKNOWN';
      let outcome: UploadOutcome | undefined;
      let release: (() => void) | undefined;
      try {
        release = await reserve(upload);
        outcome = await receive(upload);
        return outcome;
      } finally {
        release?.();
        // If this write fails too, this instance may claim the upload again.
        if (outcome !== 'STORED') await records.postpone(upload, clock.now());
      }
    } finally {
      active.delete(id);
    }
  };
  const check = async (id: string): Promise<UploadOutcome> => {
    const key = uncheckedKeyOf(id);
    const checkHere = () =>
      claim(id, async (upload) => {
        const body = await fileStore.open(key);
        // What fails before it is read would hold its connection.
        return body ? receiveUpload(upload, body, options).finally(() => body.destroy()) : 'UNKNOWN';
      });
    let outcome = await checkHere();
    while (outcome === 'UNKNOWN' && (await records.isReceived(id))) {
      await wait(clock, otherCheckMs);
      outcome = await checkHere();
    }
    // What is left by a failure is deleted with the upload.
    if (outcome === 'STORED') await fileStore.delete(key).catch(() => {});
    return outcome;
  };
  /** Creates that use an upload at the same time share its check. */
  const checking = new Map<string, Promise<UploadOutcome>>();
  return {
    async createUpload(owner, { contentType, sizeBytes }) {
      if (fileKindOf(contentType) === undefined || !/^[\w.+-]+\/[\w.+-]+$/.test(contentType))
        return {
          member: 'contentType',
          message: 'Must be the type of an image, a video or audio. SVG is not accepted.',
        };
      const maxDeclaredBytes = presign && limits.maxBytesPerOwner;
      const maxSizeBytes = Math.min(limits.maxBytes, maxDeclaredBytes ?? Infinity);
      if (sizeBytes < 1 || sizeBytes > maxSizeBytes)
        return { member: 'sizeBytes', message: `Must be 1 to ${maxSizeBytes}.` };
      if (!((await mayPrepare(owner, 1)) && (!presign || (await mayDeclare(owner, sizeBytes)))))
        throw new RateLimitError(
          'Callers that have made nothing yet have prepared too many uploads. Make something first, or retry later.',
          { retryAfterSeconds },
        );
      const now = clock.now();
      const id = randomId('upload');
      const upload = { id, owner, contentType, sizeBytes, createdAt: now, expiresAt: now + dayMs };
      if (!(await records.createUpload(upload, { maxUploads: maxUploadsPerOwner, maxDeclaredBytes })))
        throw new RateLimitError(
          `A caller may prepare ${maxUploadsPerOwner} uploads in a day${presign ? `, and ${maxDeclaredBytes} bytes in them` : ''}. Retry later.`,
          { retryAfterSeconds },
        );
      if (presign) {
        const lifetimeMs = Math.min(addressMs, dayMs);
        const url = await presign(uncheckedKeyOf(id), { sizeBytes, lifetimeMs });
        return { id, url, expiresAt: now + lifetimeMs };
      }
      const { path, expiresAt } = paths.sign('write', id, { now });
      return { id, url: options.url() + path, expiresAt: Math.min(expiresAt, upload.expiresAt) };
    },
    async receive(path, body, declaredBytes) {
      const verified = paths.verify('write', path, clock.now());
      if (!verified) return 'UNKNOWN';
      return claim(verified.id, async (upload) =>
        declaredBytes === undefined || declaredBytes === upload.sizeBytes
          ? receiveUpload(upload, body, options)
          : 'WRONG_SIZE',
      );
    },
    async adopt(id) {
      if (!presign) return 'UNKNOWN';
      const checked = checking.get(id) ?? check(id).finally(() => checking.delete(id));
      checking.set(id, checked);
      return checked;
    },
  };
}

async function receiveUpload(
  upload: Upload,
  body: AsyncIterable<Uint8Array>,
  options: UploadsOptions,
): Promise<UploadOutcome> {
  const { limits } = options;
  const path = options.pathOf(upload.id);
  const kind = fileKindOf(upload.contentType) ?? 'IMAGE';
  try {
    const maxBytes = Math.min(upload.sizeBytes, limits.maxBytes);
    const content = await receiveFile(body, { path, maxBytes, kind });
    if (content.sizeBytes !== upload.sizeBytes) return 'WRONG_SIZE';
    return (await storeFile(upload, { path, content }, options)) === 'STORED' ? 'STORED' : 'UNKNOWN';
  } catch (error) {
    if (diskFaults.includes(codeOf(error)))
      throw new FilesUnavailableError('The folder of files that are received cannot be written', {
        cause: error,
      });
    if (!(error instanceof FileFailedError)) throw error;
    return error.failure === 'TOO_LARGE'
      ? 'WRONG_SIZE'
      : error.failure === 'NO_ROOM'
        ? 'NO_ROOM'
        : 'WRONG_TYPE';
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}

import { contentTypeOf } from '../generations/content-type.ts';
import { isMoved } from '../generations/moved-content.ts';
import type { Clock } from '../lib/clock.ts';
import { hourMs } from '../lib/time.ts';
import type { FileRecord, FileRecords, StoredFile } from '../store/file-records.ts';
import type { Store } from '../store/store.ts';
import { fromStore } from './file-errors.ts';
import type { Files, InputFile } from './files.ts';
import type { PlanFiles } from './plan-files.ts';
import { readWhole } from './read-whole.ts';
import type { Uploads } from './uploads.ts';

export interface InputFilesOptions {
  readonly store: Pick<Store, 'findSummaries'>;
  readonly records: Pick<FileRecords, 'find' | 'findUsable' | 'use'>;
  readonly open: Files['open'];
  readonly findAssets: PlanFiles['findAssets'];
  /** An address that the gateway can reach. Absent if it cannot reach this server. */
  readonly addressOf: Files['addressOf'] | undefined;
  readonly adopt: Uploads['adopt'];
  readonly clock: Pick<Clock, 'now'>;
}

/** Larger files are not sent inline. Base64 makes them a third longer. */
const maxInlineBytes = 20_971_520;
/** The gateway may read an address some time after the request. */
const minRemainingMs = 60_000;
/** Addresses without a known end live at least as long, at any provider. */
const unknownLifetimeMs = hourMs;

/** Turns ids of assets and uploads into what the gateway can read. */
export function createInputFiles(options: InputFilesOptions): Pick<Files, 'findInput' | 'keepInputs'> {
  const { records, clock } = options;
  return {
    async findInput(owner, id) {
      if (id.startsWith('upload_')) {
        const upload = await records.findUsable(owner, id);
        if (!upload) return 'There is no such upload, or it has expired.';
        const found = upload.stored ? upload : await adopt(owner, id, options);
        if (typeof found === 'string') return found;
        return found.stored
          ? toStoredInput(id, found, found.stored, options)
          : 'The file has not been uploaded yet. Send it first to the address that `createUpload` returned.';
      }
      return findAsset(owner, id, options);
    },
    async keepInputs(owner, generationId, files) {
      const used = files.flatMap(({ id, stored }) => (stored ? [{ id, key: stored.key }] : []));
      if (used.length > 0) await records.use(owner, generationId, used, clock.now());
    },
  };
}

/** Checks what a client may have written to the store itself. Returns the upload, or why it cannot be used. */
async function adopt(
  owner: string,
  id: string,
  { records, adopt: adoptUpload }: InputFilesOptions,
): Promise<FileRecord | string> {
  const outcome = await fromStore(adoptUpload(id));
  if (outcome !== 'STORED' && outcome !== 'UNKNOWN') return outcomes[outcome];
  // Another request or server may have stored it.
  return (await records.findUsable(owner, id)) ?? 'There is no such upload, or it has expired.';
}

const outcomes = {
  WRONG_SIZE: 'The size of the file is not the declared one. Send the whole file.',
  WRONG_TYPE: 'The file is not of its declared type. Send a file of that type.',
  NO_ROOM:
    'There is no room for the file: a limit of stored bytes is reached. Send its address instead of the upload, or retry later.',
} as const;

async function findAsset(owner: string, id: string, options: InputFilesOptions): Promise<InputFile | string> {
  const { store, records, findAssets, clock } = options;
  const [, generationId = '', position = ''] = /^(.*)\.(\d+)$/.exec(id) ?? [];
  const [generation] = await store.findSummaries(owner, [generationId]);
  const asset = generation && (await findAssets(owner, generationId))[Number(position)];
  const [found] = await records.find(owner, [generationId]);
  const file =
    found?.files.find((each) => each.position === Number(position)) ?? (await records.findUsable(owner, id));
  const stored = file?.stored;
  if (!asset && !stored) return 'There is no such asset.';
  const url = asset?.url;
  const { expiresAt = (generation?.finishedAt ?? 0) + unknownLifetimeMs } = asset ?? {};
  const isAlive = expiresAt > clock.now() + minRemainingMs;
  const isLastResort = asset?.expiresAt === undefined && !stored;
  if (url !== undefined && (isAlive || isLastResort)) return { id, url, sentAs: 'PROVIDER_URL', stored };
  if (file && stored) return toStoredInput(id, file, stored, options);
  if (asset?.base64 !== undefined && !isMoved(asset.base64))
    return { id, url: `data:${contentTypeOf(asset) ?? ''};base64,${asset.base64}`, sentAs: 'DATA_URI' };
  return 'The address of the provider has expired, and this server has no copy.';
}

async function toStoredInput(
  id: string,
  file: Pick<FileRecord, 'id'>,
  stored: StoredFile,
  { addressOf, open }: InputFilesOptions,
): Promise<InputFile | string> {
  if (addressOf)
    return { id, url: (await addressOf({ id: file.id, stored })).url, sentAs: 'SIGNED_URL', stored };
  if (stored.sizeBytes > maxInlineBytes)
    return `The file has more than ${maxInlineBytes} bytes, and the gateway cannot reach this server.`;
  const content = await readWhole(stored, open);
  if (!content) return 'The store has lost the file.';
  const base64 = content.toString('base64');
  return { id, url: `data:${stored.contentType};base64,${base64}`, sentAs: 'DATA_URI', stored };
}

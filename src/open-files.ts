import { join } from 'node:path';
import { type Config, ConfigError } from './config.ts';
import { createFiles, type FilesOptions } from './files/create-files.ts';
import type { FileStore } from './files/file-store.ts';
import type { Files } from './files/files.ts';
import { createFolderStore } from './files/folder-store.ts';
import { observePending } from './metrics/pending-figures.ts';
import { createOutgoing } from './outgoing/outgoing.ts';
import { codeOf, messageOf } from './lib/thrown.ts';

export interface OpenFilesOptions extends Pick<
  FilesOptions,
  'store' | 'assetsOf' | 'clock' | 'metrics' | 'log'
> {
  readonly gatewayUrl: string;
  /** Whether the gateway is a sandbox, whose addresses may name the host that a browser used. */
  readonly hasSandbox: boolean;
}

/** @throws ConfigError if the store cannot be used */
export async function openFiles(config: Config, options: OpenFilesOptions): Promise<Files> {
  const { store, gatewayUrl, hasSandbox, metrics, clock } = options;
  const folder = config.FILES_DIR ?? join(config.DATA_DIR, 'files');
  const listed = new Set([new URL(gatewayUrl).origin, ...(config.FILES_ORIGINS ?? [])]);
  try {
    const records = await store.openFiles();
    const files = await createFiles({
      ...options,
      records,
      fileStore: await openFileStore(config, folder),
      outgoing: createOutgoing({
        isListed: ({ origin }) => listed.has(origin),
        // All files may be of one provider.
        connectionsPerOrigin: config.FILES_COPIES,
      }),
      toReachable: hasSandbox ? (url) => toSandbox(url, gatewayUrl) : (url) => url,
      folder: join(folder, 'incoming'),
      maxCopies: config.FILES_COPIES,
      limits: {
        maxBytes: config.MAX_FILE_BYTES,
        maxBytesPerOwner: config.MAX_FILE_BYTES_PER_OWNER,
        maxTotalBytes: config.MAX_FILE_BYTES_IN_ALL,
      },
      removesOldest: config.FILES_WHEN_FULL === 'remove-oldest',
      timeoutMs: config.FILES_TIMEOUT_SECONDS * 1000,
      addressMs: config.FILES_ADDRESS_SECONDS * 1000,
      sharesStoreAddresses: config.FILES_ADDRESSES === 'store',
      publicUrl: config.PUBLIC_URL,
      random: Math.random,
    });
    const names = { count: 'gengraph.file.pending', age: 'gengraph.file.oldest' } as const;
    if (metrics) observePending(metrics, names, { measurePending: () => records.measurePending(), clock });
    return files;
  } catch (cause) {
    throw new ConfigError(`Cannot keep files (FILES=${config.FILES}): ${messageOf(cause)}`, { cause });
  }
}

async function openFileStore(config: Config, folder: string): Promise<FileStore> {
  if (config.FILES === 'folder') return createFolderStore(join(folder, 'objects'));
  const { createS3Store } = await import('./files/s3-store.ts').catch(explainMissing);
  const { FILES_S3_ACCESS_KEY_ID: accessKeyId, FILES_S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  return createS3Store({
    endpoint: config.FILES_S3_ENDPOINT,
    region: config.FILES_S3_REGION,
    bucket: config.FILES_S3_BUCKET ?? '',
    prefix: config.FILES_S3_PREFIX ?? '',
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    encryption: config.FILES_S3_ENCRYPTION,
    kmsKeyId: config.FILES_S3_KMS_KEY_ID,
  });
}

function explainMissing(error: unknown): never {
  if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
  throw new Error('install the optional packages @aws-sdk/client-s3 and @aws-sdk/s3-request-presigner', {
    cause: error,
  });
}

/** The sandbox names its files after the host that the client used. */
function toSandbox(address: string, sandboxUrl: string): string {
  const url = new URL(address);
  const { port, host, protocol } = new URL(sandboxUrl);
  if (url.port !== port) return address;
  url.protocol = protocol;
  url.host = host;
  return url.href;
}

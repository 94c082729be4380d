import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { beforeDeadline } from '../lib/before-deadline.ts';
import type { FileStore } from './file-store.ts';

export interface S3StoreOptions {
  /** @default Amazon's, for the region */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly bucket: string;
  /** Before all keys. */
  readonly prefix: string;
  /** @default those that the official client finds */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  readonly encryption?: 'AES256' | 'aws:kms' | undefined;
  readonly kmsKeyId?: string | undefined;
  /** How long the store may be silent before a request fails. @default 60 seconds */
  readonly silenceMs?: number | undefined;
  /** How long a read or a deletion waits for the headers of its reply, over all attempts. @default 15 seconds */
  readonly answerMs?: number | undefined;
  /** How long the start waits for the store. @default 20 seconds */
  readonly startMs?: number | undefined;
}

const defaultSilenceMs = 60_000;
/** Clients wait for reads, and creates for the deletion of an upload that was checked. A store that works sends headers within a second, so that even a third attempt is in time. */
const defaultAnswerMs = 15_000;
/** Each client that reads a file holds a connection, for as long as it reads. By default, the client of Amazon has 50. */
const manySockets = { maxSockets: Infinity };
const ignore = (): void => {};
/** By default, the client of Amazon writes lines to standard error, beside the log. Its errors say the same. */
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Content in a store that speaks the protocol of Amazon S3. @throws if the bucket cannot be used */
export async function createS3Store(options: S3StoreOptions): Promise<FileStore> {
  const { bucket: Bucket, prefix, encryption, kmsKeyId } = options;
  const { startMs = 20_000, answerMs = defaultAnswerMs } = options;
  const client = new S3Client(toClientConfig(options));
  const nameOf = (key: string) => ({ Bucket, Key: prefix + key });
  /** Ends requests that wait for a store that is silent. */
  const closing = new AbortController();
  const request = { abortSignal: closing.signal };
  const startLimit = AbortSignal.timeout(startMs);
  await client
    .send(new HeadBucketCommand({ Bucket }), { abortSignal: startLimit })
    .catch((error: unknown) => {
      client.destroy();
      if (startLimit.aborted) throw new Error(`the store does not answer within ${startMs / 1000} seconds`);
      return explainRefusal(Bucket)(error);
    });
  // Only the client knows it: it also follows the partition of the region, and settings of its own.
  const { origin } = new URL(await getSignedUrl(client, new HeadBucketCommand({ Bucket })));
  const limited = <Reply extends object>(send: SendLimited<Reply>): Promise<Reply> =>
    sendInTime(send, { closing: closing.signal, answerMs });
  const has = (key: string): Promise<boolean> =>
    limited((signal) => client.send(new HeadObjectCommand(nameOf(key)), signal)).then(
      () => true,
      missing(false),
    );
  return {
    async put(key, path, { contentType, sizeBytes }) {
      // Opened before it is sent: nobody would hear of a failure after the request has ended.
      const file = await open(path);
      const body = file.createReadStream();
      try {
        await client.send(
          new PutObjectCommand({
            ...nameOf(key),
            Body: body,
            ContentLength: sizeBytes,
            ContentType: contentType,
            ...(encryption && { ServerSideEncryption: encryption }),
            ...(kmsKeyId !== undefined && { SSEKMSKeyId: kmsKeyId }),
          }),
          request,
        );
      } finally {
        body.destroy();
      }
    },
    async open(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const get = new GetObjectCommand({ ...nameOf(key), ...(Range !== undefined && { Range }) });
      const found = await limited((signal) => client.send(get, signal)).catch(missing(undefined));
      if (!(found?.Body instanceof Readable)) return undefined;
      if (!range || found.ContentRange?.startsWith(`bytes ${range.start}-${range.end}/`)) return found.Body;
      found.Body.destroy();
      throw new Error('the store has not sent the part of the file that was asked for');
    },
    async delete(key) {
      const object = new DeleteObjectCommand(nameOf(key));
      await limited<object>((signal) => client.send(object, signal)).catch(missing({}));
    },
    has,
    async *list() {
      let token: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket,
            Prefix: prefix,
            ...(token !== undefined && { ContinuationToken: token }),
          }),
          request,
        );
        yield (page.Contents ?? []).flatMap(({ Key }) => Key?.slice(prefix.length) ?? []);
        const next = page.IsTruncated ? page.NextContinuationToken : undefined;
        if (next !== undefined && next === token) throw new Error('the store lists the same page again');
        token = next;
      } while (token !== undefined);
    },
    origin,
    presign: (key, { startsAt, expiresAt, contentType, disposition }) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          ...nameOf(key),
          ResponseContentType: contentType,
          ResponseContentDisposition: disposition,
        }),
        { signingDate: new Date(startsAt), expiresIn: (expiresAt - startsAt) / 1000 },
      ),
    presignUpload: (key, { sizeBytes, lifetimeMs }) =>
      getSignedUrl(client, new PutObjectCommand({ ...nameOf(key), ContentLength: sizeBytes }), {
        expiresIn: Math.floor(lifetimeMs / 1000),
        signableHeaders: new Set(['host', 'content-length']),
      }),
    close() {
      closing.abort();
      // Ends the bodies that are being read, too.
      client.destroy();
    },
  };
}

type SendLimited<Reply> = (limited: { readonly abortSignal: AbortSignal }) => Promise<Reply>;

/** Sends a read or a deletion. The headers of its reply come in time, and its body may take longer. @throws if they do not */
async function sendInTime<Reply extends object>(
  send: SendLimited<Reply>,
  { closing, answerMs }: { readonly closing: AbortSignal; readonly answerMs: number },
): Promise<Reply> {
  closing.throwIfAborted();
  const limit = new AbortController();
  const end = (): void => limit.abort();
  closing.addEventListener('abort', end);
  try {
    const sent = send({ abortSignal: limit.signal });
    const reply = await beforeDeadline(sent, performance.now() + answerMs);
    if (reply) return reply;
    end();
    throw new Error(`the store does not answer within ${answerMs / 1000} seconds`);
  } finally {
    closing.removeEventListener('abort', end);
  }
}

function toClientConfig({
  endpoint,
  region,
  credentials,
  silenceMs = defaultSilenceMs,
}: S3StoreOptions): S3ClientConfig {
  return {
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
    // Stores other than Amazon's usually have one host for all buckets, and not every checksum of the newest client.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    logger: silent,
    requestHandler: {
      // By default, the client waits forever for a connection that has died.
      connectionTimeout: silenceMs,
      socketTimeout: silenceMs,
      httpAgent: manySockets,
      httpsAgent: manySockets,
    },
  };
}

const refusals: Readonly<Record<number, string>> = {
  301: 'it is in another region than FILES_S3_REGION',
  403: 'the credentials are wrong, or lack s3:ListBucket',
  404: 'it does not exist',
};

/** A reply without a body has no name that says anything. */
function explainRefusal(bucket: string): (error: unknown) => never {
  return (error) => {
    const status = toServiceError(error).$metadata?.httpStatusCode;
    if (status === undefined) throw error;
    const reason = refusals[status] ?? 'it cannot be used';
    throw new Error(`the store answers ${status} for the bucket ${bucket}: ${reason}`, { cause: error });
  };
}

/** The value for an object that does not exist. Other errors are thrown. */
function missing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    const { name, $metadata } = toServiceError(error);
    if ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket') return value;
    throw error;
  };
}

interface ServiceError {
  readonly name?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

function toServiceError(error: unknown): ServiceError {
  return error instanceof Error ? error : {};
}

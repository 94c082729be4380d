import { Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Asset, AssetKind } from '../generations/asset.ts';
import { contentTypeOf } from '../generations/content-type.ts';
import { mediaKindOf } from '../generations/media-kind.ts';
import type { Outgoing, OutgoingReply } from '../outgoing/outgoing.ts';
import { RefusedAddressError } from '../outgoing/public-addresses.ts';
import { FileFailedError, FileRetryError } from './file-errors.ts';
import { messageOf } from '../lib/thrown.ts';

export interface DownloadOptions {
  readonly outgoing: Pick<Outgoing, 'send'>;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface Download {
  readonly body: AsyncIterable<Uint8Array>;
  /** What the sender declares: by the asset, by the reply, or by the kind of the asset. */
  readonly kind: AssetKind;
  /** Whether the reply is declared as an HTML page. */
  readonly isPage: boolean;
  /** Releases the connection. */
  destroy(): void;
}

const maxRedirects = 3;
/** Some networks need seconds until a new file is everywhere, and show a page until then. */
export const maxMissingAttempts = 5;

/**
 * Begins to download a file of a provider.
 * @throws FileFailedError or FileRetryError
 */
export async function download(asset: Asset, url: string, options: DownloadOptions): Promise<Download> {
  const { outgoing, timeoutMs, maxBytes, signal } = options;
  const reply = await outgoing
    .send(url, {
      method: 'GET',
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'gengraph' },
      timeoutMs,
      maxRedirects,
      // Providers whose addresses are not encrypted exist, and a file is not a secret of theirs.
      allowsPlainHttp: true,
      signal,
    })
    .catch(refuse);
  const destroy = (): void => void reply.body.on('error', () => {}).destroy();
  try {
    checkReply(reply, maxBytes);
    const body = decode(reply);
    const contentType = reply.header('content-type')?.trim();
    const isPage = /^text\/html\b/i.test(contentType ?? '');
    return { body: toAttempts(body), kind: declaredKind(asset, contentType), isPage, destroy };
  } catch (error) {
    destroy();
    throw error;
  }
}

function refuse(error: unknown): never {
  const refused = findRefusal(error);
  if (refused) throw new FileFailedError('REFUSED_ADDRESS', refused.message, error);
  throw new FileRetryError('UNREACHABLE', messageOf(error), { cause: error });
}

/** The connector's error may be wrapped. */
function findRefusal(error: unknown): RefusedAddressError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof RefusedAddressError) return cause;
  return undefined;
}

function checkReply(reply: OutgoingReply, maxBytes: number): void {
  const { status } = reply;
  if (status === 404 || status === 410 || status === 403 || status === 401) {
    const message = `The address answers ${status}`;
    throw status === 410
      ? new FileFailedError('NOT_FOUND', message)
      : new FileRetryError('NOT_FOUND', message, { maxAttempts: maxMissingAttempts });
  }
  if (status !== 200) throw new FileRetryError('UNREACHABLE', `The address answers ${status}`);
  if (Number(reply.header('content-length') ?? 0) > maxBytes)
    throw new FileFailedError('TOO_LARGE', `The file has more than ${maxBytes} bytes`);
}

/** Some servers compress although nobody asked. The receiver counts the bytes after the decompression. */
function decode({ body, header }: OutgoingReply): AsyncIterable<Uint8Array> {
  const encoding = header('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return body;
  const create = decoderOf(encoding);
  if (!create) throw new FileFailedError('WRONG_TYPE', 'The file is compressed in an unknown way');
  const decoder = create();
  body.on('error', (error) => decoder.destroy(error));
  decoder.on('close', () => body.destroy());
  return body.pipe(decoder);
}

function decoderOf(encoding: string): (() => Transform) | undefined {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip;
  if (encoding === 'deflate') return createInflate;
  return encoding === 'br' ? createBrotliDecompress : undefined;
}

/** Names what breaks a body: another attempt may succeed. */
async function* toAttempts(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw new FileRetryError('UNREACHABLE', messageOf(error), { cause: error });
  }
}

function declaredKind(asset: Asset, contentType: string | undefined): AssetKind {
  return mediaKindOf(contentTypeOf(asset)) ?? mediaKindOf(contentType) ?? asset.kind;
}

/** Bytes of base64 text, a piece at a time. */
export function decodeBase64(text: string): AsyncIterable<Uint8Array> {
  const base64 = /\s/.test(text) ? text.replaceAll(/\s/g, '') : text;
  const pieces = function* (): Generator<Uint8Array, void> {
    for (let start = 0; start < base64.length; start += pieceChars)
      yield Buffer.from(base64.slice(start, start + pieceChars), 'base64');
  };
  return Readable.from(pieces());
}

/** A multiple of four. */
const pieceChars = 65_536;

import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileTypeFromBuffer } from 'file-type';
import type { AssetKind } from '../generations/asset.ts';
import { mediaKindOf } from '../generations/media-kind.ts';
import { addPiece } from '../lib/add-piece.ts';
import { codeOf } from '../lib/thrown.ts';
import type { FileContent } from '../store/file-records.ts';
import { FileFailedError } from './file-errors.ts';

export interface ReceiveOptions {
  /** Of a new local file. */
  readonly path: string;
  readonly maxBytes: number;
  /** What the first bytes have to be. */
  readonly kind: AssetKind;
  readonly signal?: AbortSignal | undefined;
}

/** The types of media are recognized by fewer bytes. */
const headBytes = 4100;

/** Each write occupies a thread that other files and the records wait for: few larger ones are cheaper. */
const writeBytes = 262_144;

/**
 * Writes a file, and checks it on the way: its size, and its type by its first bytes. The chunks of the source cannot be read afterwards.
 * @throws FileFailedError if it is not what it should be. The local file stays incomplete
 */
export async function receiveFile(
  source: AsyncIterable<Uint8Array>,
  { path, maxBytes, kind, signal }: ReceiveOptions,
): Promise<FileContent> {
  const hasher = createHash('sha256');
  let head = Buffer.alloc(0);
  let contentType: string | undefined;
  let sizeBytes = 0;
  const file = await openNew(path);
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const write = async (): Promise<void> => {
    const chunks = waiting;
    waiting = [];
    const { bytesWritten } = await file.writev(chunks);
    // A disk that is almost full takes a part.
    if (bytesWritten < waitingBytes) {
      const rest = Buffer.concat(chunks).subarray(bytesWritten);
      for (let written = 0; written < rest.length;) written += (await file.write(rest, written)).bytesWritten;
    }
    waitingBytes = 0;
    chunks.forEach(release);
  };
  try {
    for await (const chunk of source) {
      signal?.throwIfAborted();
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes)
        throw new FileFailedError('TOO_LARGE', `The file has more than ${maxBytes} bytes`);
      if (contentType === undefined) {
        head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
        if (head.length >= headBytes) contentType = await checkType(head, kind);
      }
      hasher.update(chunk);
      addPiece(waiting, chunk);
      waitingBytes += chunk.length;
      if (waitingBytes >= writeBytes) await write();
    }
    if (waitingBytes > 0) await write();
  } finally {
    await file.close();
  }
  if (sizeBytes === 0) throw new FileFailedError('WRONG_TYPE', 'The file is empty');
  contentType ??= await checkType(head, kind);
  return { hash: hasher.digest('hex'), contentType, sizeBytes };
}

/** The folder may be gone: instances that start remove those of instances that seem to be dead. */
async function openNew(path: string): Promise<FileHandle> {
  const openHere = (): Promise<FileHandle> => open(path, 'w', 0o600);
  return openHere().catch(async (error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return openHere();
  });
}

/**
 * Frees the memory of a chunk that nobody reads any more. Otherwise V8 collects all garbage several times a second under load,
 * which delays every client. A chunk that shares its memory with others is left to it.
 */
function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** @throws FileFailedError unless the bytes are of this kind */
async function checkType(head: Uint8Array, kind: AssetKind): Promise<string> {
  const mime = (await fileTypeFromBuffer(head))?.mime;
  if (mime !== undefined && isOfKind(mime, kind)) return mime;
  throw new FileFailedError(
    'WRONG_TYPE',
    `Expected ${kind.toLowerCase()} bytes, received ${mime ?? 'bytes of another type'}`,
  );
}

/** What a file of this type may be kept as. Not SVG: it is text, and may have scripts. */
export function fileKindOf(contentType: string): AssetKind | undefined {
  return contentType.toLowerCase() === 'image/svg+xml' ? undefined : mediaKindOf(contentType);
}

/** Containers that hold audio, or audio with video. */
const containers: readonly string[] = [
  'video/mp4',
  'video/webm',
  'application/ogg',
  'video/ogg',
  'audio/x-m4a',
];
/** Animations without sound. */
const animations: readonly string[] = ['image/gif', 'image/webp', 'image/apng', 'image/avif'];

function isOfKind(mime: string, kind: AssetKind): boolean {
  if (fileKindOf(mime) === kind) return true;
  if (kind === 'AUDIO') return containers.includes(mime);
  return kind === 'VIDEO' && (animations.includes(mime) || mime === 'application/ogg');
}

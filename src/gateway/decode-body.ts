import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';

/** Receives a body in chunks. */
export interface BodySink {
  push(chunk: Buffer): void;
  end(): void;
  fail(error: Error): void;
}

export interface BodyDecoder extends BodySink {
  /** Drops what is not decoded yet. */
  stop?(): void;
}

/** The content encoding of a body is unsupported, or its data is invalid or incomplete. */
export class BodyEncodingError extends Error {
  override readonly name = 'BodyEncodingError';
  /** Whether the data ends too early, as after a cut. */
  readonly isTruncated: boolean;
  constructor(message: string, options: { readonly isTruncated?: boolean; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.isTruncated = options.isTruncated ?? false;
  }
}

/** Decodes a body into a sink. Requests do not ask for an encoding, but some proxies encode anyway. */
export function createBodyDecoder(encoding: string | undefined, sink: BodySink): BodyDecoder {
  if (encoding === undefined) return sink;
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return sink;
  const open = decoders.get(name);
  if (!open) {
    const error = new BodyEncodingError(`unsupported content encoding ${JSON.stringify(name.slice(0, 40))}`);
    const refuse = (): void => sink.fail(error);
    return { push: refuse, end: refuse, fail: (problem) => sink.fail(problem) };
  }
  let decoder: ReturnType<typeof open> | undefined;
  let isStopped = false;
  let failure: Error | undefined;
  const finish = (error?: Error): void => {
    const problem = failure ?? error;
    if (problem) sink.fail(problem);
    else sink.end();
  };
  const start = (first: Buffer): ReturnType<typeof open> => {
    const started = open(first);
    started.on('data', (chunk: Buffer) => sink.push(chunk));
    started.on('end', () => finish());
    started.on('error', (cause: Error & { code?: string }) => {
      const isTruncated = cause.code === 'Z_BUF_ERROR';
      const problem = isTruncated ? 'incomplete' : 'invalid';
      finish(new BodyEncodingError(`${problem} ${name} data`, { isTruncated, cause }));
    });
    return started;
  };
  return {
    push(chunk) {
      if (isStopped) return;
      decoder ??= start(chunk);
      decoder.write(chunk);
    },
    end() {
      if (decoder) decoder.end();
      else sink.end();
    },
    // The data that arrived before the failure is decoded first.
    fail(error) {
      failure = error;
      if (decoder && !isStopped && !decoder.errored) decoder.end();
      else sink.fail(error);
    },
    stop() {
      isStopped = true;
      decoder?.destroy();
    },
  };
}

type Open = (
  first: Buffer,
) => ReturnType<typeof createGunzip | typeof createBrotliDecompress | typeof createZstdDecompress>;

const decoders: ReadonlyMap<string, Open> = new Map<string, Open>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  // Some servers omit the zlib header, whose low half byte is 8.
  ['deflate', (first) => ((first[0] ?? 0) % 16 === 8 ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress()],
]);

import type { Compressor } from '../../lib/compress.ts';
import type { Caller } from '../../gateway/caller.ts';
import { CompressingResponse } from './compressing-response.ts';
import type { Refusal } from './refusal.ts';
import {
  type BufferedClient,
  type BufferedConnection,
  maxStringLength,
  type SendBuffer,
  type SendBuffers,
} from './send-buffers.ts';

interface TrackOptions {
  readonly sendBuffers: SendBuffers;
  readonly compressor: Compressor;
  readonly requestId: string;
  readonly client: () => BufferedClient;
}

/** In characters or bytes. A character has at most three bytes. */
const maxSmallLength = 8192;

type Written = (error: Error | null | undefined) => void;

/** The server's reply class (option `ServerResponse` of `createServer`). Counts its send buffer with those of the process. */
export class TrackedResponse extends CompressingResponse {
  #tracking: TrackOptions | undefined;
  #buffer: SendBuffer | undefined;
  /** Of a GraphQL request. `isReported`: the operation has a log line and a span of its own. */
  operation: { readonly caller: Caller | undefined; readonly isReported: boolean } | undefined;
  /** Of the request's `Accept` header. */
  acceptedRanges: readonly string[] = [];
  /** Its source waits for 'drain', so it is never in memory as a whole. */
  isPulled = false;
  /** Why it is answered without GraphQL. */
  refusal: Refusal | undefined;

  /** Call once, before the first write. `client` is read when a backlog begins. */
  track(options: TrackOptions): void {
    this.compressWith(options.compressor);
    this.#tracking = options;
  }

  override write(body: unknown, encoding?: BufferEncoding | Written, onWritten?: Written): boolean {
    const isText = typeof body === 'string';
    const bytes = isText && body.length > maxStringLength ? Buffer.from(body) : body;
    if (this.writableLength > 0 || !isSmall(bytes)) this.#buffer ??= this.#openBuffer();
    const hasRoom =
      typeof encoding === 'string' ? super.write(bytes, encoding, onWritten) : super.write(bytes, encoding);
    if (!hasRoom) (this.#buffer ??= this.#openBuffer())?.update();
    // A reply of known length is complete. A caller that waited for 'drain' would keep it and its source in memory.
    return hasRoom || (!this.isPulled && (isText || this.hasHeader('content-length')));
  }

  /** Before the first write that may not fit, so that what the system takes of it counts as progress. Most replies are small. */
  #openBuffer(): SendBuffer | undefined {
    if (!this.#tracking) return undefined;
    const { sendBuffers, requestId, client } = this.#tracking;
    const buffer = sendBuffers.open(new ResponseConnection(this, requestId, client));
    this.on('drain', () => buffer.update());
    this.once('close', () => buffer.close());
    return buffer;
  }
}

/** Whether it fits into the buffer of an idle socket. */
function isSmall(body: unknown): boolean {
  return (typeof body === 'string' || Buffer.isBuffer(body)) && body.length <= maxSmallLength;
}

/** A class: each request has one, and objects with getters of their own are expensive to create. */
class ResponseConnection implements BufferedConnection {
  readonly socket: BufferedConnection['socket'];
  /** `withBackpressure` pulls the next event only after the previous one has drained. */
  readonly bufferedMessages = 1;
  readonly #response: TrackedResponse;
  readonly #requestId: string;
  readonly #client: () => BufferedClient;

  constructor(response: TrackedResponse, requestId: string, client: () => BufferedClient) {
    this.#requestId = requestId;
    this.socket = response.req.socket;
    this.#response = response;
    this.#client = client;
  }

  get facts(): BufferedConnection['facts'] {
    const { owner, address } = this.#client();
    return { transport: 'http', requestId: this.#requestId, owner, address };
  }

  get group(): string {
    return this.#client().group;
  }

  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  destroy(): void {
    this.socket.destroy();
  }
}

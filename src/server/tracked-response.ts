import type { Compressor } from '../lib/compress.ts';
import type { Caller } from '../gateway/caller.ts';
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
  readonly compressor: Compressor;
  readonly requestId: string;
  readonly client: () => BufferedClient;
}

type Written = (error: Error | null | undefined) => void;

/** The server's reply class (option `ServerResponse` of `createServer`). Counts its send buffer with those of the process. */
export class TrackedResponse extends CompressingResponse {
  #buffer: SendBuffer | undefined;
  /** The identified caller of the request. */
  caller: Caller | undefined;
  /** Whether the log line of its operation says why the request was refused. */
  hasRefusalLine = false;
  /** Of the request's `Accept` header. */
  acceptedRanges: readonly string[] = [];
  /** Whether its operation has a span. */
  hasSpan = false;
  /** Why it is answered without GraphQL. */
  refusal: Refusal | undefined;

  /** Call once, before the first write. `client` is read when a backlog begins. */
  track(sendBuffers: SendBuffers, { compressor, requestId, client }: TrackOptions): void {
    this.compressWith(compressor);
    const buffer = sendBuffers.open(new ResponseConnection(this, requestId, client));
    this.#buffer = buffer;
    this.on('drain', () => buffer.update());
    this.once('close', () => buffer.close());
  }

  override write(body: unknown, encoding?: BufferEncoding | Written, onWritten?: Written): boolean {
    const isText = typeof body === 'string';
    const bytes = isText && body.length > maxStringLength ? Buffer.from(body) : body;
    const hasRoom =
      typeof encoding === 'string' ? super.write(bytes, encoding, onWritten) : super.write(bytes, encoding);
    if (!hasRoom) this.#buffer?.update();
    // A reply of known length is complete. A caller that waited for 'drain' would keep it and its source in memory.
    return hasRoom || isText || this.hasHeader('content-length');
  }
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

  get party(): string {
    return this.#client().party;
  }

  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  destroy(): void {
    this.socket.destroy();
  }
}

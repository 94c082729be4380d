import type { Caller } from '../gateway/caller.ts';
import { CompressingResponse } from './compressing-response.ts';
import {
  type BufferedConnection,
  maxStringLength,
  type SendBuffer,
  type SendBuffers,
} from './send-buffers.ts';

interface TrackOptions {
  readonly requestId: string;
  /** See `BufferedConnection`. */
  readonly party: () => string;
}

type Written = (error: Error | null | undefined) => void;

/** The server's reply class (option `ServerResponse` of `createServer`). Counts its send buffer with those of the process. */
export class TrackedResponse extends CompressingResponse {
  #buffer: SendBuffer | undefined;
  /** The identified caller of the request. */
  caller: Caller | undefined;

  /** Call once, before the first write. `party` is read when a backlog begins. */
  track(sendBuffers: SendBuffers, { requestId, party }: TrackOptions): void {
    const buffer = sendBuffers.open(new ResponseConnection(this, requestId, party));
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
  readonly facts: BufferedConnection['facts'];
  readonly socket: BufferedConnection['socket'];
  /** `withBackpressure` pulls the next event only after the previous one has drained. */
  readonly bufferedMessages = 1;
  readonly #response: TrackedResponse;
  readonly #party: () => string;

  constructor(response: TrackedResponse, requestId: string, party: () => string) {
    this.facts = { transport: 'http', requestId };
    this.socket = response.req.socket;
    this.#response = response;
    this.#party = party;
  }

  get party(): string {
    return this.#party();
  }

  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  destroy(): void {
    this.socket.destroy();
  }
}

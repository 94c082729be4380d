import { StringDecoder } from 'node:string_decoder';
import { addPiece, joinBuffers } from '../lib/add-piece.ts';
import { largeChars } from '../lib/json-size.ts';
import { withoutMark } from '../lib/text.ts';
import type { BodySink } from './decode-body.ts';

export class ReplyTooLargeError extends Error {
  override readonly name = 'ReplyTooLargeError';
}

interface Abortable {
  abort(reason: Error): void;
}

/** Buffers data that arrives before the consumer attaches. A short reply has ended by then. */
export class ReplyBody implements BodySink {
  readonly #request: Abortable;
  #early: Buffer[] = [];
  #onData: ((chunk: Buffer) => void) | undefined;
  /** Without a chunk at the end of the body. */
  #onEarly: ((chunk?: Buffer) => void) | undefined;
  #end: { readonly error?: Error } | undefined;
  /** Created for the consumer: nobody would handle its rejection before. */
  #finished: PromiseWithResolvers<void> | undefined;

  constructor(request: Abortable) {
    this.#request = request;
  }

  push(chunk: Buffer): void {
    if (this.#onData) return this.#pass(chunk);
    addPiece(this.#early, chunk);
    this.#onEarly?.(chunk);
  }

  end(): void {
    this.#finish({});
  }

  fail(error: Error): void {
    this.#finish({ error });
  }

  /** The whole body, if it has arrived in one chunk. Then nothing is left to consume. */
  takeChunk(maxBytes: number): Buffer | undefined {
    const [chunk] = this.#early;
    if (!this.#end || this.#end.error || !chunk || this.#early.length > 1 || chunk.length > maxBytes)
      return undefined;
    this.#early = [];
    return chunk;
  }

  async peek(isEnough: (part: Buffer) => boolean): Promise<void> {
    if (this.#early.some(isEnough) || this.#end) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEarly = (chunk) => {
      if (!chunk || isEnough(chunk)) resolve();
    };
    await promise;
    this.#onEarly = undefined;
  }

  consume(onData: (chunk: Buffer) => void): Promise<void> {
    this.#onData = onData;
    for (const chunk of this.#early.splice(0)) this.#pass(chunk);
    if (this.#end) return this.#end.error ? Promise.reject(this.#end.error) : Promise.resolve();
    this.#finished = Promise.withResolvers();
    return this.#finished.promise;
  }

  discard(reason: Error): void {
    this.#onData = () => {};
    // The body may have ended before its consumer refuses it: then the abort reports nothing.
    this.#end = undefined;
    this.#finish({ error: reason });
    this.#request.abort(reason);
  }

  /** Runs in event handlers of sockets and decoders, where an exception would end the process. */
  #pass(chunk: Buffer): void {
    try {
      this.#onData?.(chunk);
    } catch (error) {
      this.discard(
        error instanceof Error ? error : new Error('The reply could not be read', { cause: error }),
      );
    }
  }

  /** Only the first end counts. */
  #finish(end: { readonly error?: Error }): void {
    if (this.#end) return;
    this.#end = end;
    this.#onEarly?.();
    if (end.error) this.#finished?.reject(end.error);
    else this.#finished?.resolve();
  }
}

/** The whole body as text, without a byte order mark. Decodes a large one while it arrives. @throws ReplyTooLargeError */
export async function readText(body: ReplyBody, maxBytes: number): Promise<string> {
  const whole = body.takeChunk(Math.min(maxBytes, largeChars));
  if (whole) return withoutMark(whole.toString('utf8'));
  let decoder: StringDecoder | undefined;
  let text = '';
  let chunks: Buffer[] = [];
  let size = 0;
  let undecoded = 0;
  let isTooLarge = false;
  const decode = (): void => {
    decoder ??= new StringDecoder('utf8');
    const part = decoder.write(joinBuffers(chunks));
    text += text === '' ? withoutMark(part) : part;
    chunks = [];
    undecoded = 0;
  };
  await body.consume((chunk) => {
    size += chunk.length;
    if (size <= maxBytes) {
      addPiece(chunks, chunk);
      undecoded += chunk.length;
      if (undecoded > largeChars) decode();
    } else if (!isTooLarge) {
      isTooLarge = true;
      body.discard(new ReplyTooLargeError(`The reply is larger than ${maxBytes} bytes`));
    }
  });
  if (!decoder) return withoutMark(joinBuffers(chunks).toString('utf8'));
  decode();
  return text + decoder.end();
}

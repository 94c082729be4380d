import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type Dispatcher, errors, Pool } from 'undici';
import { type JsonText, lengthOfJson } from '../lib/json-pieces.ts';
import type { TraceContext } from '../lib/trace-context.ts';
import { connectH1 } from '../lib/connect-h1.ts';
import { codeOf } from '../lib/thrown.ts';
import { BodyEncodingError, type BodyDecoder, createBodyDecoder } from './decode-body.ts';
import { readText, ReplyBody, ReplyTooLargeError } from './reply-body.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path and query, encoded. */
  readonly path: string;
  /** The path without variable segments: the name of the endpoint in logs, metrics and spans. */
  readonly template: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: JsonText | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whose request it is, for the log. */
  readonly owner?: string | undefined;
  /** The tasks that it reads, for the log. */
  readonly taskIds?: readonly string[] | undefined;
  /** `traceparent` of the creates whose tasks it reads. */
  readonly origins?: readonly string[] | undefined;
  /** Called when the headers of the reply have arrived, and again at its end. Without a status if there is no reply. */
  readonly onReply?: ((progress: ReplyProgress) => void) | undefined;
  /** Parent trace context. */
  readonly trace?: TraceContext | undefined;
  /** Timeout until the response headers arrive. */
  readonly headersTimeoutMs: number;
  /** Idle timeout between chunks of the body. */
  readonly silenceTimeoutMs: number;
}

/** How long a request has taken so far. */
interface ReplyProgress {
  readonly status: number | undefined;
  readonly durationMs: number;
}

export interface HttpReply {
  readonly status: number;
  /** First value of the header. */
  header(name: string): string | undefined;
  /**
   * Passes each part of the body to `isEnough` as it arrives, until one is accepted or the body ends. Leaves the body unread.
   * Never rejects: `consume` and `text` report a failure.
   */
  peek(isEnough: (part: Buffer) => boolean): Promise<void>;
  /**
   * Streams the body without buffering. Resolves at its end, rejects if it is cut or if `onData` throws. Call once. A body
   * without a length that ends by a reset is not known to be cut: servers that close early reset complete ones too.
   */
  consume(onData: (chunk: Buffer) => void): Promise<void>;
  /** The whole body. @throws ReplyTooLargeError */
  text(maxBytes: number): Promise<string>;
  /** Aborts the rest of the body. */
  discard(): void;
}

/** No reply arrived. `isSent`: the request may have been sent. If false, nothing can have happened upstream. */
export class HttpRequestError extends Error {
  override readonly name = 'HttpRequestError';
  readonly isSent: boolean;
  constructor(message: string, options: { isSent: boolean; cause: unknown }) {
    super(message, { cause: options.cause });
    this.isSent = options.isSent;
  }
}

/** Whether the connection failed, as opposed to invalid content or a defect (a TypeError has no such code). */
export function isTransportError(error: unknown): error is Error {
  if (error instanceof HttpRequestError || error instanceof ReplyTooLargeError) return true;
  // A reply that breaks the HTTP protocol has no code.
  if (error instanceof BodyEncodingError || error instanceof errors.HTTPParserError) return true;
  return /^(UND_ERR|E[A-Z])/.test(codeOf(error));
}

export interface HttpClient {
  send(request: HttpRequest): Promise<HttpReply>;
  close(): Promise<void>;
}

/** HTTP/1.1 over a connection pool. Callback-based: a streamed token allocates no stream object and no promise. */
export function createHttpClient(options: { origin: string; connections: number }): HttpClient {
  const pool = new Pool(options.origin, {
    connections: options.connections,
    allowH2: false,
    connect: connectH1(),
    // Shorter than the idle timeout of common servers: a create must not be sent on a connection that is closing.
    keepAliveTimeout: 4000,
  });
  return {
    async send(request) {
      // undici waits for one turn of the event loop before it uses a connection again, to hear that it was closed. That turn may
      // have polled before a pause of the process.
      await setImmediate();
      return send(pool, request);
    },
    close: () => pool.destroy(),
  };
}

function send(pool: Dispatcher, request: HttpRequest): Promise<HttpReply> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpReply>();
  const exchange = new Exchange(request.signal, resolve, reject);
  if (!exchange.isCanceled) {
    pool.dispatch(
      {
        method: request.method,
        path: request.path,
        ...contentOf(request),
        headersTimeout: request.headersTimeoutMs,
        bodyTimeout: request.silenceTimeoutMs,
      },
      exchange,
    );
  }
  return promise;
}

type Content = Pick<Dispatcher.DispatchOptions, 'headers' | 'body'>;

/** A large body is sent piece by piece, at the pace of the connection. */
function contentOf({ headers, body }: HttpRequest): Content {
  if (typeof body !== 'object') return { headers, body: body ?? null };
  const length = String(lengthOfJson(body));
  return { headers: { ...headers, 'content-length': length }, body: Readable.from(body) };
}

/** A request and its reply. Classes, because closures take more memory and time. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (reply: HttpReply) => void;
  readonly #reject: (error: HttpRequestError) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #decoder: BodyDecoder | undefined;

  constructor(
    signal: AbortSignal | undefined,
    resolve: (reply: HttpReply) => void,
    reject: (error: HttpRequestError) => void,
  ) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    if (signal?.aborted) this.handleEvent();
    else signal?.addEventListener('abort', this, { once: true });
  }

  get isCanceled(): boolean {
    return this.#signal?.aborted ?? false;
  }

  /** Called when the signal aborts. */
  handleEvent(): void {
    const reason: unknown = this.#signal?.reason;
    const cause = reason instanceof Error ? reason : new Error('aborted');
    const isSent = this.#controller !== undefined;
    // Without a connection yet, the request is aborted in onRequestStart. The caller gets its error now in both cases.
    this.#controller?.abort(cause);
    this.#reject(new HttpRequestError('The request was canceled', { isSent, cause }));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.isCanceled) controller.abort(new Error('aborted before the request was sent'));
    else this.#controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // 101, as the others are skipped.
    if (status < 200) return controller.abort(new Error(`unexpected status ${status}`));
    // undici keeps them as long as the body.
    controller.rawHeaders = null;
    const body = new ReplyBody(this);
    this.#decoder = createBodyDecoder(firstValue(headers['content-encoding']), body);
    this.#resolve(new Reply(status, headers, body));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#decoder?.push(chunk);
  }

  onResponseEnd(): void {
    this.#release();
    this.#decoder?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#release();
    this.#decoder?.fail(error);
    this.#reject(
      new HttpRequestError(error.message, { isSent: this.#controller !== undefined, cause: error }),
    );
  }

  abort(reason: Error): void {
    this.#decoder?.stop?.();
    this.#controller?.abort(reason);
  }

  #release(): void {
    this.#signal?.removeEventListener('abort', this);
  }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function firstValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

class Reply implements HttpReply {
  readonly status: number;
  readonly #headers: Headers;
  readonly #body: ReplyBody;

  constructor(status: number, headers: Headers, body: ReplyBody) {
    this.status = status;
    this.#headers = headers;
    this.#body = body;
  }

  header(name: string): string | undefined {
    return firstValue(this.#headers[name]);
  }

  peek(isEnough: (part: Buffer) => boolean): Promise<void> {
    return this.#body.peek(isEnough);
  }

  consume(onData: (chunk: Buffer) => void): Promise<void> {
    return this.#body.consume(onData);
  }

  text(maxBytes: number): Promise<string> {
    return readText(this.#body, maxBytes);
  }

  discard(): void {
    this.#body.discard(new Error('the rest of the reply is not needed'));
  }
}

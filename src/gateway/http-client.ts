import { StringDecoder } from 'node:string_decoder';
import type { Dispatcher } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { pieceChars } from '../lib/json-size.ts';
import type { TraceContext } from '../lib/trace-context.ts';
import { BodyEncodingError, type BodySink, createBodyDecoder } from './decode-body.ts';
import { skipContinue } from './skip-continue.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
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
export interface ReplyProgress {
  readonly status: number | undefined;
  readonly durationMs: number;
}

export interface HttpReply {
  readonly status: number;
  /** First value of the header. */
  header(name: string): string | undefined;
  /**
   * Waits until `isEnough` accepts the beginning of the body, or until the body ends, and returns the beginning. Leaves the
   * body unread. Never rejects: `consume` and `text` report a failure.
   */
  peek(isEnough: (head: Buffer) => boolean): Promise<Buffer>;
  /** Streams the body without buffering. Resolves at its end, rejects if it is cut or if `onData` throws. Call once. */
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

export class ReplyTooLargeError extends Error {
  override readonly name = 'ReplyTooLargeError';
}

/** Whether the connection failed, as opposed to invalid content or a defect (a TypeError has no such code). */
export function isTransportError(error: unknown): error is Error {
  if (error instanceof HttpRequestError || error instanceof ReplyTooLargeError) return true;
  if (error instanceof BodyEncodingError) return true;
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^(UND_ERR|E[A-Z]|HPE_)/.test(error.code)
  );
}

export interface HttpClient {
  send(request: HttpRequest): Promise<HttpReply>;
  close(): Promise<void>;
}

/** HTTP/1.1 over a connection pool. Callback-based: a streamed token allocates no stream object and no promise. */
export function createHttpClient(options: { origin: string; connections: number }): HttpClient {
  const connect = buildConnector({ allowH2: false, timeout: 10_000 });
  const pool = new Pool(options.origin, {
    connections: options.connections,
    allowH2: false,
    connect(target, callback) {
      connect(target, (...result) => {
        const [, socket] = result;
        if (socket) skipContinue(socket);
        callback(...result);
      });
    },
    // Shorter than the idle timeout of common servers: a create must not be sent on a connection that is closing.
    keepAliveTimeout: 4000,
  });
  return {
    send: (request) => send(pool, request),
    close: () => pool.destroy(),
  };
}

function send(pool: Dispatcher, request: HttpRequest): Promise<HttpReply> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpReply>();
  const { signal } = request;
  let controller: Dispatcher.DispatchController | undefined;
  let decoder: BodySink | undefined;

  const onAbort = (): void => {
    const reason = signal?.reason instanceof Error ? signal.reason : new Error('aborted');
    // Without a connection yet, the request is aborted in onRequestStart. The caller gets its error now in both cases.
    if (controller) controller.abort(reason);
    reject(
      new HttpRequestError('The request was canceled', { isSent: controller !== undefined, cause: reason }),
    );
  };
  if (signal?.aborted) {
    onAbort();
    return promise;
  }
  signal?.addEventListener('abort', onAbort, { once: true });
  const release = (): void => signal?.removeEventListener('abort', onAbort);

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      if (signal?.aborted) started.abort(new Error('aborted before the request was sent'));
      else controller = started;
    },
    onResponseStart(started, status, headers) {
      if (status < 200) return;
      // undici keeps them as long as the body.
      started.rawHeaders = null;
      const header = (name: string): string | undefined => {
        const value = headers[name];
        return Array.isArray(value) ? value[0] : value;
      };
      const body = createReplyBody((reason) => {
        decoding.stop();
        started.abort(reason);
      });
      const decoding = createBodyDecoder(header('content-encoding'), body);
      decoder = decoding;
      resolve(toReply(status, header, body));
    },
    onResponseData(_started, chunk) {
      decoder?.push(chunk);
    },
    onResponseEnd() {
      release();
      decoder?.end();
    },
    onResponseError(_started, error) {
      release();
      decoder?.fail(error);
      reject(new HttpRequestError(error.message, { isSent: controller !== undefined, cause: error }));
    },
  };
  pool.dispatch(
    {
      method: request.method,
      path: request.path,
      headers: { ...request.headers },
      body: request.body ?? null,
      headersTimeout: request.headersTimeoutMs,
      bodyTimeout: request.silenceTimeoutMs,
    },
    handler,
  );
  return promise;
}

interface ReplyBody extends BodySink {
  peek(isEnough: (head: Buffer) => boolean): Promise<Buffer>;
  consume(onData: (chunk: Buffer) => void): Promise<void>;
  discard(reason: Error): void;
}

/** Buffers data that arrives before the consumer attaches, usually a microtask after the headers. */
function createReplyBody(abort: (reason: Error) => void): ReplyBody {
  const early: Buffer[] = [];
  const { promise: finished, resolve, reject } = Promise.withResolvers<void>();
  // Prevents an unhandled rejection if a body without consumer is cut.
  finished.catch(() => {});
  let sink: ((chunk: Buffer) => void) | undefined;
  let onEarly: (() => void) | undefined;
  const discard = (reason: Error): void => {
    sink = () => {};
    // The response may have ended before its decoder: then the abort reports nothing.
    reject(reason);
    abort(reason);
  };
  // Runs in event handlers of sockets and decoders, where an exception would end the process.
  const pass = (chunk: Buffer): void => {
    try {
      sink?.(chunk);
    } catch (error) {
      discard(error instanceof Error ? error : new Error('The reply could not be read', { cause: error }));
    }
  };
  return {
    push(chunk) {
      if (sink) return pass(chunk);
      early.push(chunk);
      onEarly?.();
    },
    end: resolve,
    fail: reject,
    async peek(isEnough) {
      const enough = Promise.withResolvers<void>();
      onEarly = () => {
        if (isEnough(Buffer.concat(early))) enough.resolve();
      };
      onEarly();
      await Promise.race([enough.promise, finished.catch(() => {})]);
      onEarly = undefined;
      return Buffer.concat(early);
    },
    consume(onData) {
      sink = onData;
      for (const chunk of early.splice(0)) pass(chunk);
      return finished;
    },
    discard,
  };
}

function toReply(status: number, header: (name: string) => string | undefined, body: ReplyBody): HttpReply {
  return {
    status,
    header,
    peek: body.peek,
    consume: body.consume,
    async text(maxBytes) {
      let decoder: StringDecoder | undefined;
      let text = '';
      let chunks: Buffer[] = [];
      let size = 0;
      let undecoded = 0;
      let isTooLarge = false;
      const decode = (): void => {
        decoder ??= new StringDecoder('utf8');
        text += decoder.write(Buffer.concat(chunks));
        chunks = [];
        undecoded = 0;
      };
      const finished = body.consume((chunk) => {
        size += chunk.length;
        if (size <= maxBytes) {
          chunks.push(chunk);
          undecoded += chunk.length;
          if (undecoded > pieceChars) decode();
        } else if (!isTooLarge) {
          isTooLarge = true;
          body.discard(new ReplyTooLargeError(`The reply is larger than ${maxBytes} bytes`));
        }
      });
      await finished;
      if (!decoder) return Buffer.concat(chunks).toString('utf8');
      decode();
      return text + decoder.end();
    },
    discard: () => body.discard(new Error('the rest of the reply is not needed')),
  };
}

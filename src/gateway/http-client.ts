import { Pool, type Dispatcher } from 'undici';
import type { TraceContext } from '../lib/trace-context.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Parent trace context. */
  readonly trace?: TraceContext | undefined;
  /** Timeout until the response headers arrive. */
  readonly headersTimeoutMs: number;
  /** Idle timeout between chunks of the body. */
  readonly silenceTimeoutMs: number;
}

export interface HttpReply {
  readonly status: number;
  /** First value of the header. */
  header(name: string): string | undefined;
  /** Streams the body without buffering. Resolves at its end, rejects if it is cut. Call once. */
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
  const pool = new Pool(options.origin, {
    connections: options.connections,
    allowH2: false,
    connectTimeout: 10_000,
    // Shorter than the idle timeout of common servers: a create must not be sent on a connection that is closing.
    keepAliveTimeout: 4000,
  });
  return {
    send: (request) => send(pool, request),
    close: () => pool.destroy(),
  };
}

function send(pool: Pool, request: HttpRequest): Promise<HttpReply> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpReply>();
  const { signal } = request;
  let controller: Dispatcher.DispatchController | undefined;
  let body: ReplyBody | undefined;

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
      body = createReplyBody((reason) => started.abort(reason));
      resolve(toReply(status, headers, body));
    },
    onResponseData(_started, chunk) {
      body?.push(chunk);
    },
    onResponseEnd() {
      release();
      body?.end();
    },
    onResponseError(_started, error) {
      release();
      body?.fail(error);
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

interface ReplyBody {
  push(chunk: Buffer): void;
  end(): void;
  fail(error: Error): void;
  consume(onData: (chunk: Buffer) => void): Promise<void>;
  discard(reason: Error): void;
}

/** Buffers data that arrives in the same read as the headers, until the consumer attaches a microtask later. */
function createReplyBody(abort: (reason: Error) => void): ReplyBody {
  const early: Buffer[] = [];
  const { promise: finished, resolve, reject } = Promise.withResolvers<void>();
  // Prevents an unhandled rejection if a body without consumer is cut.
  finished.catch(() => {});
  let sink: ((chunk: Buffer) => void) | undefined;
  return {
    push(chunk) {
      if (sink) sink(chunk);
      else early.push(chunk);
    },
    end: resolve,
    fail: reject,
    consume(onData) {
      for (const chunk of early.splice(0)) onData(chunk);
      sink = onData;
      return finished;
    },
    discard(reason) {
      sink = () => {};
      abort(reason);
    },
  };
}

function toReply(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: ReplyBody,
): HttpReply {
  return {
    status,
    header(name) {
      const value = headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    consume: body.consume,
    async text(maxBytes) {
      const chunks: Buffer[] = [];
      let size = 0;
      let isTooLarge = false;
      const finished = body.consume((chunk) => {
        size += chunk.length;
        if (size <= maxBytes) chunks.push(chunk);
        else if (!isTooLarge) {
          isTooLarge = true;
          body.discard(new ReplyTooLargeError(`The reply is larger than ${maxBytes} bytes`));
        }
      });
      await finished;
      return Buffer.concat(chunks).toString('utf8');
    },
    discard: () => body.discard(new Error('the rest of the reply is not needed')),
  };
}

import { Pool, type Dispatcher } from 'undici';
import type { TraceContext } from '../lib/trace-context.ts';

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What it is part of, for tracing. */
  readonly trace?: TraceContext | undefined;
  /** How long until the reply's head is there. */
  readonly headersTimeoutMs: number;
  /** The longest silence inside the reply's body. */
  readonly silenceTimeoutMs: number;
}

export interface ExchangeReply {
  readonly status: number;
  /** The header's first value. */
  header(name: string): string | undefined;
  /** Hands over the body as it comes, without buffering. Resolves at its end, rejects when it is cut. Once. */
  consume(onData: (chunk: Buffer) => void): Promise<void>;
  /** The whole body. @throws ReplyTooLargeError */
  text(maxBytes: number): Promise<string>;
  /** Gives up the rest of the body. */
  discard(): void;
}

/** No reply. `isSent` tells whether bytes of the request may have left: if not, nothing can have happened upstream. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  readonly isSent: boolean;
  constructor(message: string, options: { isSent: boolean; cause: unknown }) {
    super(message, { cause: options.cause });
    this.isSent = options.isSent;
  }
}

export class ReplyTooLargeError extends Error {
  override readonly name = 'ReplyTooLargeError';
}

/** Whether the connection failed, rather than what came over it or our own code (a TypeError has no such code). */
export function isTransportError(error: unknown): error is Error {
  if (error instanceof ExchangeError || error instanceof ReplyTooLargeError) return true;
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^(UND_ERR|E[A-Z]|HPE_)/.test(error.code)
  );
}

export interface Exchanger {
  send(request: ExchangeRequest): Promise<ExchangeReply>;
  close(): Promise<void>;
}

/** HTTP/1.1 over one pool of connections, by callbacks: a streamed token costs no stream object and no promise here. */
export function createExchanger(options: { origin: string; connections: number }): Exchanger {
  const pool = new Pool(options.origin, {
    connections: options.connections,
    allowH2: false,
    connectTimeout: 10_000,
    // Below the idle time-out of common servers: a create must not meet a connection that is being closed.
    keepAliveTimeout: 4000,
  });
  return {
    send: (request) => send(pool, request),
    close: () => pool.destroy(),
  };
}

function send(pool: Pool, request: ExchangeRequest): Promise<ExchangeReply> {
  const { promise, resolve, reject } = Promise.withResolvers<ExchangeReply>();
  const { signal } = request;
  let controller: Dispatcher.DispatchController | undefined;
  let body: ReplyBody | undefined;

  const onAbort = (): void => {
    const reason = signal?.reason instanceof Error ? signal.reason : new Error('aborted');
    // Not on a connection yet: onRequestStart refuses it there. Either way the caller need not wait.
    if (controller) controller.abort(reason);
    reject(
      new ExchangeError('The request was cancelled', { isSent: controller !== undefined, cause: reason }),
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
      if (signal?.aborted) started.abort(new Error('aborted before it was sent'));
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
      reject(new ExchangeError(error.message, { isSent: controller !== undefined, cause: error }));
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

/** Holds what arrives in the same read as the head, until the consumer is there a microtask later. */
function createReplyBody(abort: (reason: Error) => void): ReplyBody {
  const early: Buffer[] = [];
  const { promise: finished, resolve, reject } = Promise.withResolvers<void>();
  // A body that nobody consumes may still be cut.
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
): ExchangeReply {
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

import { GatewayError, LostReplyError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { traceHeaders } from '../lib/trace-context.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { isRecord, type Json, stringifyJson } from '../lib/json.ts';
import { abbreviate } from '../lib/text.ts';
import { parseReply } from './parse-reply.ts';
import { type Caller, type CredentialForm, presentCredential } from './caller.ts';
import { decodeError, isErrorBody, redact } from './decode-error.ts';
import {
  createExchanger,
  ExchangeError,
  type Exchanger,
  type ExchangeReply,
  isTransportError,
} from './exchange.ts';
import { createEventReader, type StreamEnd } from './event-stream.ts';
import { retryRead } from './retry.ts';
import { traceExchanger } from './traced-exchanger.ts';

export interface GatewayOptions {
  readonly url: string;
  readonly connections: number;
  /** How long the gateway may take to begin its reply. */
  readonly timeoutMs: number;
  /** The longest silence inside a reply. */
  readonly stallMs: number;
  /** How long a read may take; no attempt begins after that. */
  readonly readMs: number;
  /** Origins beside the gateway's own to which credentials may go. @default none */
  readonly trustedOrigins?: readonly string[] | undefined;
  readonly clock: Clock;
  /** @default requests are not traced; the caller's trace is passed on all the same */
  readonly tracing?: Tracing | undefined;
  readonly random?: () => number;
  /** Called with the caller of each request that the gateway accepted. */
  readonly onAccepted?: (caller: Caller) => void;
}

export interface GatewayRequest {
  /**
   * Absolute path on the gateway, its segments already encoded (`pathOf`); or a whole address out of a reply, which is
   * followed on trusted origins only.
   */
  readonly path: string;
  /** @default 'GET' for reads, 'POST' for creates */
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly caller: Caller;
  /** @default 'bearer' */
  readonly form?: CredentialForm;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A refusal under HTTP 200 that only the family can tell from its replies, beside what every family's look like. */
  readonly isRefusal?: (body: Json) => boolean;
  /** Whether a reply that is no document but no page of markup either (empty, plain text) is an answer too: null. @default false */
  readonly isDocumentOptional?: boolean;
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A reply to a create that asked for a stream: events to come, or one JSON document where the gateway did not stream. */
export type StreamReply =
  | {
      readonly type: 'events';
      read(onEvents: (data: readonly string[]) => void): Promise<StreamEnd>;
      /** Gives up whatever is still to come. */
      discard(): void;
    }
  | { readonly type: 'document'; readonly body: Json };

/** The HTTP API behind this graph. Knows credentials, deadlines, retries and error shapes; nothing of any family. */
export interface Gateway {
  /** A read, repeated while failures may pass. @throws AuthenticationError QuotaError RateLimitError GatewayError */
  read(request: GatewayRequest): Promise<Json>;
  /** POST that may start paid work: sent at most once. @throws as read, and LostReplyError when its fate is unknown */
  create(request: GatewayRequest): Promise<Json>;
  /** POST whose reply may be a stream: sent at most once. @throws as create */
  stream(request: GatewayRequest): Promise<StreamReply>;
  /** Whether an address out of a reply may be followed, with the caller's credential. */
  isTrusted(url: string): boolean;
  close(): Promise<void>;
}

/** What a request means: a read may be repeated, a create may not, whatever its HTTP method. */
type Purpose = 'read' | 'create';

const maxReplyBytes = 64 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;

export function createGateway(options: GatewayOptions): Gateway {
  const base = new URL(options.url);
  const prefix = base.pathname.replace(/\/+$/, '');
  const trusted = new Set([base.origin, ...(options.trustedOrigins ?? [])]);
  const exchangers = new Map<string, Exchanger>();
  const { clock, random = Math.random } = options;

  const exchangerOf = (origin: string): Exchanger => {
    const known = exchangers.get(origin);
    if (known) return known;
    const plain = createExchanger({ origin, connections: options.connections });
    const exchanger = options.tracing ? traceExchanger(plain, origin, options.tracing) : plain;
    exchangers.set(origin, exchanger);
    return exchanger;
  };
  const addressOf = (path: string): URL => {
    const address = path.startsWith('/') ? new URL(base.origin + prefix + path) : new URL(path);
    if (!trusted.has(address.origin))
      throw new GatewayError('An address outside the trusted origins is not followed.');
    return address;
  };

  const send = async (purpose: Purpose, request: GatewayRequest, accept: string): Promise<ExchangeReply> => {
    const address = addressOf(request.path);
    const method = request.method ?? (purpose === 'read' ? 'GET' : 'POST');
    const presented = presentCredential(request.caller, request.form ?? 'bearer');
    const body = request.body === undefined ? undefined : stringifyJson(request.body);
    for (const [name, value] of Object.entries({ ...request.query, ...presented.query })) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    const reply = await exchangerOf(address.origin).send({
      method,
      path: address.pathname + address.search,
      headers: {
        accept,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(request.requestId !== undefined && { 'x-request-id': request.requestId }),
        ...traceHeaders(request.caller.trace),
        ...request.headers,
        ...presented.headers,
      },
      body,
      signal: request.signal,
      trace: request.caller.trace,
      headersTimeoutMs: purpose === 'read' ? options.readMs : options.timeoutMs,
      silenceTimeoutMs: purpose === 'read' ? options.readMs : options.stallMs,
    });
    if (reply.status >= 200 && reply.status < 300) return reply;
    // A proxy that gave up waiting knows as little as we do about what became of a create.
    if (purpose === 'create' && (reply.status === 504 || reply.status === 524)) {
      reply.discard();
      throw new LostReplyError(`the gateway answered ${reply.status}`);
    }
    const answer = await readErrorText(reply);
    if (purpose === 'create' && isFateUnknown(reply.status) && !isRecord(answer))
      throw new LostReplyError(`something on the way to the gateway answered ${reply.status}`);
    throw decodeError({ ...(await errorFacts(reply, request)), body: answer });
  };

  const errorFacts = async (reply: ExchangeReply, request: GatewayRequest) => ({
    status: reply.status,
    retryAfter: reply.header('retry-after'),
    contentType: reply.header('content-type'),
    credential: request.caller.credential,
    now: clock.now(),
  });

  const readDocument = async (
    purpose: Purpose,
    reply: ExchangeReply,
    request: GatewayRequest,
  ): Promise<Json> => {
    const text = await reply.text(maxReplyBytes);
    const body = tryParse(text);
    const isDocument = typeof body === 'object' && body !== null;
    if (isDocument && !isErrorBody(body) && !request.isRefusal?.(body)) {
      options.onAccepted?.(request.caller);
      return body;
    }
    if (!isDocument && request.isDocumentOptional && !/^\s*</.test(text)) return null;
    // Accepted, perhaps, but what came back tells nothing: sending it again could pay twice.
    if (purpose === 'create' && !isDocument)
      throw new LostReplyError(`the gateway answered ${reply.status} with something unreadable`);
    if (!isDocument && text.trim() !== '' && !/^\s*</.test(text))
      throw unreadable(text, reply.status, request.caller);
    throw decodeError({ ...(await errorFacts(reply, request)), body: isDocument ? body : text });
  };

  return {
    async read(request) {
      return retryRead(
        async () => {
          try {
            return await readDocument('read', await send('read', request, 'application/json'), request);
          } catch (error) {
            throw toReadError(error, request);
          }
        },
        {
          attempts: 3,
          patienceMs: options.readMs,
          baseDelayMs: 200,
          maxDelayMs: 5000,
          clock,
          random,
          signal: request.signal,
        },
      );
    },
    async create(request) {
      try {
        return await readDocument('create', await send('create', request, 'application/json'), request);
      } catch (error) {
        throw toCreateError(error, request);
      }
    },
    async stream(request) {
      try {
        const reply = await send('create', request, 'text/event-stream, application/json');
        if (!/^text\/event-stream\b/i.test(reply.header('content-type') ?? '')) {
          return { type: 'document', body: await readDocument('create', reply, request) };
        }
        options.onAccepted?.(request.caller);
        return { type: 'events', read: createEventReader(reply), discard: () => reply.discard() };
      } catch (error) {
        throw toCreateError(error, request);
      }
    },
    isTrusted: (url) => URL.canParse(url) && trusted.has(new URL(url).origin),
    async close() {
      await Promise.all([...exchangers.values()].map((exchanger) => exchanger.close()));
    },
  };
}

/**
 * What a proxy says when the gateway broke off, after it had been handed the request: without a word of the gateway's own
 * nobody knows whether it was accepted.
 */
function isFateUnknown(status: number): boolean {
  return status === 408 || status === 499 || status === 502 || (status >= 520 && status <= 527);
}

/** A path from segments that come from ids and inputs: each is encoded, and none may climb. */
export function pathOf(strings: TemplateStringsArray, ...segments: readonly string[]): string {
  return strings.reduce((path, part, index) => {
    const segment = segments[index - 1] ?? '';
    if (segment === '' || segment === '.' || segment === '..') throw new RangeError('not a path segment');
    return path + encodeURIComponent(segment) + part;
  });
}

async function readErrorText(reply: ExchangeReply): Promise<unknown> {
  try {
    const text = await reply.text(maxErrorBytes);
    const body = tryParse(text);
    return body === undefined ? text : body;
  } catch {
    // The status alone tells enough; a body that is cut or endless does not make it another error.
    return undefined;
  }
}

/** Text, or JSON that is neither an object nor a list: its words are no message, they may be as little as `null`. */
function unreadable(text: string, status: number, { credential }: Caller): GatewayError {
  const shown = abbreviate(redact(text.trim(), credential), 200);
  return new GatewayError(`The gateway answered ${status} with something unreadable: ${shown}`, { status });
}

function tryParse(text: string): Json | undefined {
  try {
    return parseReply(text);
  } catch {
    return undefined;
  }
}

function toReadError(error: unknown, { caller, signal }: GatewayRequest): unknown {
  if (signal?.aborted) return signal.reason;
  return isTransportError(error)
    ? new GatewayError(redact(`The gateway could not be read: ${error.message}`, caller.credential), {
        isRetryable: true,
        cause: error,
      })
    : error;
}

/** A create that cannot have reached the gateway failed; any other without a reply has a fate that nobody knows. */
function toCreateError(error: unknown, { caller }: GatewayRequest): unknown {
  if (error instanceof ExchangeError && !error.isSent) {
    return new GatewayError(redact(`The gateway could not be reached: ${error.message}`, caller.credential), {
      isRetryable: true,
      cause: error,
    });
  }
  return isTransportError(error)
    ? new LostReplyError(redact(error.message, caller.credential), { cause: error })
    : error;
}

import { GatewayError, LostReplyError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { type Json, parseJson, stringifyJson } from '../lib/json.ts';
import { type Caller, type CredentialForm, presentCredential } from './caller.ts';
import { decodeError, isErrorBody, redact } from './decode-error.ts';
import { createExchanger, ExchangeError, type ExchangeReply, ReplyTooLargeError } from './exchange.ts';
import { createEventReader, type StreamEnd } from './event-stream.ts';
import { retryRead } from './retry.ts';

export interface GatewayOptions {
  readonly url: string;
  readonly connections: number;
  /** How long the gateway may take to begin its reply. */
  readonly timeoutMs: number;
  /** The longest silence inside a reply. */
  readonly stallMs: number;
  readonly clock: Clock;
  readonly random?: () => number;
}

export interface GatewayRequest {
  /** Absolute path on the gateway, its segments already encoded (`pathOf`). */
  readonly path: string;
  readonly caller: Caller;
  /** @default 'bearer' */
  readonly form?: CredentialForm;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A reply to a create that asked for a stream: events to come, or one JSON document where the gateway did not stream. */
export type StreamReply =
  | { readonly type: 'events'; read(onEvents: (data: readonly string[]) => void): Promise<StreamEnd> }
  | { readonly type: 'document'; readonly body: Json };

/** The HTTP API behind this graph. Knows credentials, deadlines, retries and error shapes; nothing of any family. */
export interface Gateway {
  /** GET, repeated while failures may pass. @throws AuthenticationError QuotaError RateLimitError GatewayError */
  read(request: GatewayRequest): Promise<Json>;
  /** POST that may start paid work: sent at most once. @throws as read, and LostReplyError when its fate is unknown */
  create(request: GatewayRequest): Promise<Json>;
  /** POST whose reply may be a stream: sent at most once. @throws as create */
  stream(request: GatewayRequest): Promise<StreamReply>;
  close(): Promise<void>;
}

const maxReplyBytes = 64 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;
const readTimeoutMs = 30_000;

export function createGateway(options: GatewayOptions): Gateway {
  const base = new URL(options.url);
  const prefix = base.pathname.replace(/\/+$/, '');
  const exchanger = createExchanger({ origin: base.origin, connections: options.connections });
  const { clock, random = Math.random } = options;

  const send = async (
    method: 'GET' | 'POST',
    request: GatewayRequest,
    accept: string,
  ): Promise<ExchangeReply> => {
    const presented = presentCredential(request.caller, request.form ?? 'bearer');
    const body = request.body === undefined ? undefined : stringifyJson(request.body);
    const reply = await exchanger.send({
      method,
      path: prefix + request.path + toQuery({ ...request.query, ...presented.query }),
      headers: {
        accept,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(request.requestId !== undefined && { 'x-request-id': request.requestId }),
        ...request.headers,
        ...presented.headers,
      },
      body,
      signal: request.signal,
      headersTimeoutMs: method === 'GET' ? readTimeoutMs : options.timeoutMs,
      silenceTimeoutMs: method === 'GET' ? readTimeoutMs : options.stallMs,
    });
    if (reply.status >= 200 && reply.status < 300) return reply;
    // A proxy that gave up waiting knows as little as we do about what became of a create.
    if (method === 'POST' && (reply.status === 504 || reply.status === 524)) {
      reply.discard();
      throw new LostReplyError(`the gateway answered ${reply.status}`);
    }
    throw decodeError({ ...(await errorFacts(reply, request)), body: await readErrorText(reply) });
  };

  const errorFacts = async (reply: ExchangeReply, request: GatewayRequest) => ({
    status: reply.status,
    retryAfter: reply.header('retry-after'),
    contentType: reply.header('content-type'),
    credential: request.caller.credential,
    now: clock.now(),
  });

  const readDocument = async (
    method: 'GET' | 'POST',
    reply: ExchangeReply,
    request: GatewayRequest,
  ): Promise<Json> => {
    const text = await reply.text(maxReplyBytes);
    const body = tryParse(text);
    const isDocument = typeof body === 'object' && body !== null;
    if (isDocument && !isErrorBody(body)) return body;
    // Accepted, perhaps, but what came back tells nothing: sending it again could pay twice.
    if (method === 'POST' && !isDocument)
      throw new LostReplyError(`the gateway answered ${reply.status} with something unreadable`);
    throw decodeError({ ...(await errorFacts(reply, request)), body: isDocument ? body : text });
  };

  return {
    async read(request) {
      return retryRead(
        async () => {
          try {
            return await readDocument('GET', await send('GET', request, 'application/json'), request);
          } catch (error) {
            throw toReadError(error, request);
          }
        },
        { attempts: 3, baseDelayMs: 200, maxDelayMs: 5000, clock, random, signal: request.signal },
      );
    },
    async create(request) {
      try {
        return await readDocument('POST', await send('POST', request, 'application/json'), request);
      } catch (error) {
        throw toCreateError(error, request);
      }
    },
    async stream(request) {
      try {
        const reply = await send('POST', request, 'text/event-stream, application/json');
        if (!reply.header('content-type')?.startsWith('text/event-stream')) {
          return { type: 'document', body: await readDocument('POST', reply, request) };
        }
        return { type: 'events', read: createEventReader(reply) };
      } catch (error) {
        throw toCreateError(error, request);
      }
    },
    close: () => exchanger.close(),
  };
}

/** A path from segments that come from ids and inputs: each is encoded, and none may climb. */
export function pathOf(strings: TemplateStringsArray, ...segments: readonly string[]): string {
  return strings.reduce((path, part, index) => {
    const segment = segments[index - 1] ?? '';
    if (segment === '' || segment === '.' || segment === '..') throw new RangeError('not a path segment');
    return path + encodeURIComponent(segment) + part;
  });
}

function toQuery(query: Readonly<Record<string, string | number | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

async function readErrorText(reply: ExchangeReply): Promise<unknown> {
  try {
    const text = await reply.text(maxErrorBytes);
    return tryParse(text) ?? text;
  } catch {
    // The status alone tells enough; a body that is cut or endless does not make it another error.
    return undefined;
  }
}

function tryParse(text: string): Json | undefined {
  try {
    return parseJson(text);
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

function isTransportError(error: unknown): error is Error {
  if (error instanceof ExchangeError || error instanceof ReplyTooLargeError) return true;
  // undici's own errors and Node's socket errors carry a code; a defect of ours (TypeError …) does not.
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^(UND_ERR|E[A-Z]|HPE_)/.test(error.code)
  );
}

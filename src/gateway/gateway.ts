import { LRUCache } from 'lru-cache';
import { type ExpectedError, GatewayError, LostReplyError, QuotaError, ServerKeyError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { traceHeaders } from '../lib/trace-context.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { asString, isRecord, type Json } from '../lib/json.ts';
import { stringifyInPieces } from '../lib/json-pieces.ts';
import { largeChars } from '../lib/json-size.ts';
import { abbreviate } from '../lib/text.ts';
import { tryParseReply } from './parse-reply.ts';
import { type Caller, type CredentialForm, presentCredential, withCurrentKey } from './caller.ts';
import type { CreateEvidence } from './create-evidence.ts';
import { decodeError, findStatus, hasNoError, isMarkup, isRefused, readErrorBody } from './decode-error.ts';
import { redact, Redactor } from './redact.ts';
import {
  createHttpClient,
  HttpRequestError,
  type HttpClient,
  type HttpReply,
  type HttpRequest,
  isTransportError,
} from './http-client.ts';
import type { KnownReply } from './known-reply.ts';
import type { FilledPath } from './path.ts';
import { createEventReader, type OnEvents, type OnText, type StreamEnd } from './event-stream.ts';
import { looksLikeEvents } from './looks-like-events.ts';
import { isOutcomeUnknown, isTimeout, mayBeCut } from './lost-reply.ts';
import { observeHttpClient } from './observed-http-client.ts';
import { retryRead, type RetryOptions } from './retry.ts';
import type { KeyRefusal, Purpose } from './server-key-watch.ts';

export interface GatewayOptions {
  readonly url: string;
  readonly connections: number;
  /** Timeout for the response headers of a create. */
  readonly timeoutMs: number;
  /** Idle timeout inside the body of a create's reply. */
  readonly stallMs: number;
  /** Timeout of each read attempt. No retry starts after this time. */
  readonly readMs: number;
  /** Origins other than the gateway's own that may receive credentials. @default none */
  readonly trustedOrigins?: readonly string[] | undefined;
  readonly clock: Clock;
  /** @default no spans; the caller's trace context is still propagated */
  readonly tracing?: Tracing | undefined;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
  readonly random?: () => number;
  /** Called with the caller of each request that the gateway accepted. */
  readonly onAccepted?: (caller: Caller, purpose: Purpose) => void;
  /** Called with each refusal of a credential of the server. */
  readonly onKeyRefused?: (caller: Caller, refusal: KeyRefusal) => void;
}

export interface GatewayRequest extends CreateEvidence {
  /** A path without variable segments, `pathOf`, or `linkOf` for a URL from a reply, whose origin must be trusted. */
  readonly path: string | FilledPath;
  /** @default 'GET' for reads, 'POST' for creates */
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly caller: Caller;
  /** @default 'bearer' */
  readonly form?: CredentialForm;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Media types of the reply. @default 'application/json', for a stream also 'text/event-stream' */
  readonly accept?: string;
  readonly body?: unknown;
  /** Detects an error body of a family's reads or of a stream under HTTP 200, in addition to the common formats. */
  readonly isRefusal?: (body: Json) => boolean;
  /** The last reply to this request, or the part of it that is known. It is not parsed again. */
  readonly lastReply?: KnownReply | undefined;
  /** Accepts an empty or plain-text reply as null instead of an error. @default false */
  readonly isDocumentOptional?: boolean;
  /** Accepts a text that is no document, which may be the only copy of a result. @default false */
  readonly acceptsText?: boolean;
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onReply?: HttpRequest['onReply'];
  readonly taskIds?: HttpRequest['taskIds'];
  readonly origins?: HttpRequest['origins'];
}

/** Reply to a streaming create: an event stream, or one JSON document if the gateway did not stream. */
export type StreamReply =
  | {
      readonly type: 'events';
      /** `onText` may take the text of a read before it is divided into events. */
      read(onEvents: OnEvents, onText?: OnText): Promise<StreamEnd>;
      /** Aborts the stream. */
      discard(): void;
    }
  | { readonly type: 'document'; readonly body: Json };

/** Client of the gateway. Handles credentials, timeouts, retries and error formats for all families. */
export interface Gateway {
  /** Reads with retries on transient failures. @throws AuthenticationError ServerKeyError QuotaError RateLimitError GatewayError */
  read(request: GatewayRequest): Promise<Json>;
  /** POST that may start paid work: sent at most once. @throws like `read`, and LostReplyError if the outcome is unknown */
  create(request: GatewayRequest): Promise<Json>;
  /** POST whose reply may be a stream: sent at most once. @throws like `create` */
  stream(request: GatewayRequest): Promise<StreamReply>;
  /** Whether a URL from a reply may be requested with the caller's credential. */
  isTrusted(url: string): boolean;
  /** The URL of an address in the reply to a request of this path. Undefined if it is malformed. */
  resolve(address: string, path: string): string | undefined;
  close(): Promise<void>;
}

const maxReplyBytes = 64 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;
/** Remembered targets, and the length of the longest one. */
const maxTargets = 500;
const maxTargetChars = 500;
/** Longer replies are not kept as `lastReply`. */
const maxKnownChars = 50_000;

interface Target {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  readonly template: string;
}

export function createGateway(options: GatewayOptions): Gateway {
  const base = new URL(options.url);
  const prefix = base.pathname.replace(/\/+$/, '');
  const trusted = new Set([base.origin, ...(options.trustedOrigins ?? [])]);
  const clients = new Map<string, HttpClient>();
  const waiting = { count: 0 };
  options.metrics?.observe('gengraph.gateway.waiting', () => waiting.count);
  const { clock, random = Math.random } = options;

  const clientFor = (origin: string): HttpClient => {
    const known = clients.get(origin);
    if (known) return known;
    const { connections, log, metrics, tracing } = options;
    const plain = createHttpClient({ origin, connections });
    const client = observeHttpClient(plain, { origin, log, metrics, tracing, waiting });
    clients.set(origin, client);
    return client;
  };
  const addressOf = (path: string): URL => {
    const address = path.startsWith('/') ? new URL(base.origin + prefix + path) : new URL(path);
    if (!trusted.has(address.origin))
      throw new GatewayError('The URL is not on a trusted origin, so it was not requested.', {
        retry: 'NEVER',
      });
    return address;
  };
  const toTarget = (requested: GatewayRequest['path'], query: GatewayRequest['query'] = {}): Target => {
    const { path, template } =
      typeof requested === 'string' ? { path: requested, template: requested } : requested;
    const address = addressOf(path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) address.searchParams.set(name, String(value));
    return {
      origin: address.origin,
      path: address.pathname + address.search,
      template: path.startsWith('/') ? prefix + template : template,
    };
  };
  const targets = new LRUCache<string, Target>({ max: maxTargets });
  /** Remembers recent targets, because a URL costs as much as parsing a small reply. */
  const targetOf = ({ path, query }: GatewayRequest): Target => {
    const key = JSON.stringify([path, query]);
    const known = targets.get(key);
    if (known) return known;
    const target = toTarget(path, query);
    if (key.length <= maxTargetChars) targets.set(key, target);
    return target;
  };

  const send = async (
    purpose: Purpose,
    request: GatewayRequest,
    accept = 'application/json',
  ): Promise<HttpReply> => {
    const method = request.method ?? (purpose === 'read' ? 'GET' : 'POST');
    const presented = presentCredential(request.caller, request.form ?? 'bearer');
    const body = request.body === undefined ? undefined : await stringifyInPieces(request.body);
    const { origin, path, template } = presented.query
      ? toTarget(request.path, { ...request.query, ...presented.query })
      : targetOf(request);
    const reply = await clientFor(origin).send({
      method,
      path,
      template,
      headers: headersOf(request, { accept, hasBody: body !== undefined, credential: presented.headers }),
      body,
      signal: request.signal,
      owner: request.caller.owner,
      taskIds: request.taskIds,
      origins: request.origins,
      onReply: request.onReply,
      trace: request.caller.trace,
      headersTimeoutMs: purpose === 'read' ? options.readMs : options.timeoutMs,
      silenceTimeoutMs: purpose === 'read' ? options.readMs : options.stallMs,
    });
    if (reply.status >= 200 && reply.status < 300) return reply;
    // Timeout of a proxy, or a redirect to the result (303): the gateway may have accepted the create.
    if (purpose === 'create' && (reply.status === 303 || isTimeout(reply.status))) {
      reply.discard();
      throw new LostReplyError(`the gateway answered ${reply.status}`, { problem: 'unknown' });
    }
    const answer = await readErrorText(reply);
    if (purpose === 'create' && isOutcomeUnknown(reply.status) && !isRecord(answer))
      throw new LostReplyError(`the gateway answered ${reply.status} without JSON`, { problem: 'unknown' });
    if (purpose === 'create' && reply.status >= 500 && hasNoError(answer)) {
      // Without the reply: errors are logged.
      if (request.hasSecret?.(answer))
        throw new LostReplyError(`the gateway answered ${reply.status} with a secret`, {
          problem: 'unknown',
        });
      if (request.isAccepted?.(answer))
        throw new LostReplyError(`the gateway answered ${reply.status} with a task or a result`, {
          reply: new Redactor(request.caller.credential).value(answer),
        });
    }
    throw toRefusal(purpose, { reply, request, body: answer });
  };

  const toRefusal = (
    purpose: Purpose,
    {
      reply,
      request: { caller },
      body,
    }: { readonly reply: HttpReply; readonly request: GatewayRequest; readonly body: unknown },
  ): ExpectedError => {
    const { status } = reply;
    const { credential, heldKey } = caller;
    const error = decodeError({
      status,
      retryAfter: reply.header('retry-after'),
      contentType: reply.header('content-type'),
      credential,
      isServerKey: heldKey !== undefined,
      now: clock.now(),
      body,
    });
    if (heldKey && (error instanceof ServerKeyError || error instanceof QuotaError)) {
      const reason = abbreviate(redact(readErrorBody(body).message ?? '', credential), 200);
      options.onKeyRefused?.(caller, { purpose, status, error, reason });
    }
    return error;
  };

  const readDocument = async (purpose: Purpose, reply: HttpReply, request: GatewayRequest): Promise<Json> => {
    const text = await reply.text(maxReplyBytes);
    const redactor = new Redactor(request.caller.credential);
    const isLong = text.length > largeChars;
    const mayChange = !isLong && redactor.mayChange(text);
    const lastReply = text.length <= maxKnownChars && !mayChange ? request.lastReply : undefined;
    const known = lastReply?.find(text, (part) => redactor.tryParse(part, false));
    const body =
      known ?? (isLong ? await redactor.tryParseInSteps(text) : redactor.tryParse(text, mayChange));
    const isDocument = typeof body === 'object' && body !== null;
    const evidence = purpose === 'create' ? request : undefined;
    if (isDocument && !isRefused(body, evidence) && !request.isRefusal?.(body)) {
      options.onAccepted?.(request.caller, purpose);
      if (known === undefined) lastReply?.keep(text, body);
      return body;
    }
    const isPlain = !isDocument && !isMarkup(text);
    if (isPlain && request.isDocumentOptional) return null;
    const plain = isPlain && request.acceptsText ? (asString(body) ?? text).trim() : '';
    if (plain !== '') return redact(plain, request.caller.credential);
    if (purpose === 'read' && !isDocument && mayBeCut(reply, text))
      throw new HttpRequestError('the connection ended within the reply', { isSent: true, cause: undefined });
    // The create may have been accepted. Sending it again could charge twice.
    if (purpose === 'create' && !isDocument)
      throw new LostReplyError(`the gateway answered ${reply.status} with an unreadable body`, {
        problem: 'unknown',
      });
    const named = purpose === 'create' ? findStatus(body) : undefined;
    if (named !== undefined && isTimeout(named))
      throw new LostReplyError(`the gateway answered with the code ${named}`, { problem: 'unknown' });
    if (isPlain && text.trim() !== '') throw unreadable(text, reply.status, request.caller);
    throw toRefusal(purpose, { reply, request, body: isDocument ? body : text });
  };

  const readOnce = async (given: GatewayRequest): Promise<Json> => {
    const request = withKey(given);
    try {
      return await readDocument('read', await send('read', request), request);
    } catch (error) {
      throw toReadError(error, request);
    }
  };
  const retries: RetryOptions = {
    maxElapsedMs: options.readMs,
    clock,
    random,
    onWait: (delayMs) => options.metrics?.add('gengraph.gateway.waits', delayMs / 1000),
  };

  return {
    read: (request) => retryRead(() => readOnce(request), retries, request.signal),
    async create(given) {
      const request = withKey(given);
      try {
        return await readDocument('create', await send('create', request), request);
      } catch (error) {
        throw toCreateError(error, request);
      }
    },
    async stream(given) {
      const request = withKey(given);
      try {
        const reply = await send('create', request, request.accept ?? 'text/event-stream, application/json');
        const isNamed = /^text\/event-stream\b/i.test(reply.header('content-type') ?? '');
        if (!isNamed && !(await looksLikeEvents(reply))) {
          return { type: 'document', body: await readDocument('create', reply, request) };
        }
        options.onAccepted?.(request.caller, 'create');
        return { type: 'events', read: createEventReader(reply), discard: () => reply.discard() };
      } catch (error) {
        throw toCreateError(error, request);
      }
    },
    isTrusted: (url) => URL.canParse(url) && trusted.has(new URL(url).origin),
    resolve: (address, path) => URL.parse(address, base.origin + prefix + path)?.href,
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}

function withKey(request: GatewayRequest): GatewayRequest {
  const caller = withCurrentKey(request.caller);
  return caller === request.caller ? request : { ...request, caller };
}

interface HeaderParts {
  readonly accept: string;
  readonly hasBody: boolean;
  readonly credential: Readonly<Record<string, string>>;
}

/** Assigns members one by one, which costs less than spreading an object for each. */
function headersOf(
  { requestId, caller, headers }: GatewayRequest,
  { accept, hasBody, credential }: HeaderParts,
): Readonly<Record<string, string>> {
  const all: Record<string, string> = { accept };
  if (hasBody) all['content-type'] = 'application/json';
  if (requestId !== undefined) all['x-request-id'] = requestId;
  if (caller.trace) Object.assign(all, traceHeaders(caller.trace));
  if (caller.host !== undefined) all['x-forwarded-host'] = caller.host;
  if (headers) Object.assign(all, headers);
  return Object.assign(all, credential);
}

async function readErrorText(reply: HttpReply): Promise<Json | undefined> {
  try {
    const text = await reply.text(maxErrorBytes);
    const body = tryParseReply(text);
    return body === undefined ? text : body;
  } catch {
    // The status is sufficient if the body is cut or too large.
    return undefined;
  }
}

/** The error for a plain-text reply, or for JSON that is neither object nor list. Quotes the reply, which may be just `null`. */
function unreadable(text: string, status: number, { credential }: Caller): GatewayError {
  const quoted = abbreviate(redact(text.trim(), credential), 200);
  return new GatewayError(`The gateway answered ${status} with an unreadable body: ${quoted}`, {
    status,
    retry: 'NEVER',
  });
}

function toReadError(error: unknown, { caller, signal }: GatewayRequest): unknown {
  if (signal?.aborted) return signal.reason;
  return isTransportError(error)
    ? new GatewayError(redact(`The gateway could not be read: ${error.message}`, caller.credential), {
        retry: 'SAFE',
        cause: error,
      })
    : error;
}

/** A create that was not sent has failed. A create without a reply has an unknown outcome. */
function toCreateError(error: unknown, { caller }: GatewayRequest): unknown {
  if (error instanceof HttpRequestError && !error.isSent) {
    return new GatewayError(redact(`The gateway could not be reached: ${error.message}`, caller.credential), {
      retry: 'SAFE',
      cause: error,
    });
  }
  return isTransportError(error)
    ? new LostReplyError(redact(error.message, caller.credential), { cause: error })
    : error;
}

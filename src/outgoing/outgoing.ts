import { lookup as systemLookup } from 'node:dns';
import { isIPv6, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, type buildConnector } from 'undici';
import { type Clock, createSystemClock } from '../lib/clock.ts';
import { connectH1 } from '../lib/connect-h1.ts';
import { isPrivateHost, onlyPublic, RefusedAddressError } from './public-addresses.ts';

/** A reply that is longer ends its connection, if only its status counts. */
const maxDiscardedBytes = 65_536;
const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];

export interface OutgoingOptions {
  /** Whether the operator listed the origin. Listed origins may have private addresses, and `http:`. */
  isListed(url: URL): boolean;
  /** Connections per origin, default 8. Further requests wait for one. */
  readonly connectionsPerOrigin?: number | undefined;
  /** Looks names up. Default: the system's. */
  readonly lookup?: LookupFunction | undefined;
  /** Of time limits. Default: the system's, which does not count a pause of the process. */
  readonly clock?: Pick<Clock, 'after'> | undefined;
}

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Buffer | undefined;
  /** For the whole exchange, redirects and the reply's body included. */
  readonly timeoutMs: number;
  /** Whether origins that are not listed may be called without TLS. Default false. */
  readonly allowsPlainHttp?: boolean | undefined;
  /** Redirects to follow, each checked as the first address. Only for GET. Default 0: a redirect is a reply. */
  readonly maxRedirects?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface OutgoingReply {
  readonly status: number;
  /** First value of the header, by its name in lower case. */
  header(name: string): string | undefined;
  /** As sent, not decoded. Read it to its end, or call `destroy`. */
  readonly body: Readable;
  /** Where the reply came from, after redirects. */
  readonly url: URL;
}

/** Requests to addresses that clients, operators or the gateway name. */
export interface Outgoing {
  /**
   * Sends one request. Repeats nothing.
   * @throws RefusedAddressError if nothing was sent because the address is not allowed; errors of the connection as they are
   */
  send(address: string | URL, request: OutgoingRequest): Promise<OutgoingReply>;
  /**
   * Posts, and resolves to the reply without its body, also if the body does not arrive whole. The body is read first and
   * discarded, so that the connection can be used again, and so that callers that limit their requests limit the connections too.
   * @throws like `send`
   */
  post(
    address: string | URL,
    request: Omit<OutgoingRequest, 'method' | 'maxRedirects'>,
  ): Promise<Pick<OutgoingReply, 'status' | 'header'>>;
  /** Ends all requests. */
  close(): Promise<void>;
}

/**
 * Requests go only to public addresses and to listed origins. The address that was checked is the one that is connected to:
 * a name that resolves differently the second time (DNS rebinding) gains nothing.
 */
export function createOutgoing(options: OutgoingOptions): Outgoing {
  const { isListed, connectionsPerOrigin = 8, lookup = systemLookup, clock = createSystemClock() } = options;
  const agent = new Agent({
    connections: connectionsPerOrigin,
    allowH2: false,
    connect: createConnector(isListed, lookup),
  });
  const send = async (address: string | URL, request: OutgoingRequest) => {
    const limit = startTimeLimit(request, clock);
    try {
      const reply = await sendWithin(address, request, limit);
      reply.body.once('close', limit.end);
      return reply;
    } catch (error) {
      limit.end();
      throw error;
    }
  };
  const sendWithin = async (address: string | URL, request: OutgoingRequest, limit: TimeLimit) => {
    const maxRedirects = request.method === 'GET' ? (request.maxRedirects ?? 0) : 0;
    let url = toUrl(address);
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      checkUrl(url, request, isListed);
      const sent = agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: request.headers ?? {},
        body: request.body ?? null,
        signal: limit.signal,
      });
      const { statusCode, headers, body } = await Promise.race([sent, limit.reached]);
      const header = (name: string): string | undefined => [headers[name] ?? []].flat()[0];
      const location = redirectStatuses.includes(statusCode) ? header('location') : undefined;
      if (location === undefined || maxRedirects === 0) return { status: statusCode, header, body, url };
      // The body of a redirect is of no use. Its error is that it was destroyed.
      body.on('error', () => undefined).destroy();
      url = toUrl(location, url);
    }
    throw new RefusedAddressError(`More than ${maxRedirects} redirects`);
  };
  return {
    send,
    async post(address, request) {
      const { status, header, body } = await send(address, { ...request, method: 'POST' });
      await body.dump({ limit: maxDiscardedBytes }).catch(() => {});
      return { status, header };
    },
    close: () => agent.destroy(),
  };
}

interface TimeLimit {
  readonly signal: AbortSignal;
  /** Rejects when the signal aborts, which undici notices only once a request has a connection. */
  readonly reached: Promise<never>;
  readonly end: () => void;
}

/** Unlike `AbortSignal.timeout`, it holds nothing after the end of the exchange. */
function startTimeLimit({ timeoutMs, signal }: OutgoingRequest, clock: Pick<Clock, 'after'>): TimeLimit {
  const controller = new AbortController();
  const { promise: reached, reject } = Promise.withResolvers<never>();
  reached.catch(() => {});
  controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  const cancel = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  const cancelTimer = clock.after(timeoutMs, () => {
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  });
  const end = (): void => {
    cancelTimer();
    signal?.removeEventListener('abort', cancel);
  };
  return { signal: controller.signal, reached, end };
}

function toUrl(address: string | URL, base?: URL): URL {
  const url = URL.parse(String(address), base);
  if (!url) throw new RefusedAddressError('The address is not a URL');
  return url;
}

function checkUrl(url: URL, request: OutgoingRequest, isListed: OutgoingOptions['isListed']): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new RefusedAddressError('The address must begin with https://');
  if (url.username !== '' || url.password !== '')
    throw new RefusedAddressError('The address must not have a user name or password');
  if (url.protocol === 'http:' && request.allowsPlainHttp !== true && !isListed(url))
    throw new RefusedAddressError('The address must begin with https://');
}

/**
 * Checks addresses where connections are made, the only place that cannot be bypassed. HTTP/1.1 only: over HTTP/2, a request that
 * hangs delays all others of its origin.
 */
function createConnector(
  isListed: OutgoingOptions['isListed'],
  lookup: LookupFunction,
): buildConnector.connector {
  const connectAnywhere = connectH1({ lookup });
  const connectPublic = connectH1({ lookup: onlyPublic(lookup) });
  return (target, callback) => {
    const { hostname, port, protocol } = target;
    // A pool keeps the port apart from the name, and removes the brackets of IPv6. No port is the default of the protocol.
    const host = isIPv6(hostname) ? `[${hostname}]` : hostname;
    const url = URL.parse(`${protocol}//${host}${port === '' ? '' : `:${port}`}`);
    if (url && isListed(url)) return connectAnywhere(target, callback);
    // Sockets look up names only.
    if (isPrivateHost(hostname))
      return callback(new RefusedAddressError(`${hostname} is not a public address`), null);
    return connectPublic(target, callback);
  };
}

import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { TokenRegistry } from '../access/tokens.ts';
import type { MediaLibrary } from '../media/library.ts';
import { invalidRequest } from './errors.ts';
import { stringifyJson } from '../../lib/json.ts';

/** Dependencies of the handlers. They are the only source of time and randomness. */
export interface Services {
  readonly tokens: TokenRegistry;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** A number from 0 up to but not including 1. */
  readonly random: () => number;
  /** Pace of chat streams; Infinity for none. */
  readonly tokensPerSecond: number;
  /** How long a task takes; 0 for none. */
  readonly taskSeconds: number;
  readonly media: MediaLibrary;
}

/** The parsed body of a request, or the reason why there is none. */
type ParsedBody = { readonly value: unknown } | { readonly error: Error };

export interface SandboxEnv {
  Bindings: HttpBindings;
  Variables: { body: ParsedBody };
}
export type Exchange = Context<SandboxEnv>;
export type Handler = (exchange: Exchange, services: Services) => Response | Promise<Response>;

/** One endpoint. Its handler is loaded by the first request, so that the sandbox starts fast. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** The kind of work whose state it reads, for an endpoint that the gateway's document does not have. */
  readonly statusOf?: string | undefined;
  readonly load: () => Promise<Handler>;
}

/** The request's JSON body; refuses the request (400) if it is malformed or missing. */
export function getJsonBody(exchange: Exchange, options: { isContentTypeRequired?: boolean } = {}): unknown {
  const contentType = exchange.req.header('content-type');
  const isJson = contentType === undefined || /^application\/json\s*(;|$)/i.test(contentType.trim());
  if (!isJson || (contentType === undefined && options.isContentTypeRequired === true)) {
    throw invalidRequest('Content-Type: must be application/json');
  }
  const { body } = exchange.var;
  if ('error' in body) throw body.error;
  if (body.value === undefined) throw invalidRequest('the body is missing, a JSON object is expected');
  return body.value;
}

/** The query's members, each at most once; refuses (400) any that the endpoint does not have. */
export function getQuery(exchange: Exchange, known: readonly string[]): Readonly<Record<string, string>> {
  const query: Record<string, string> = {};
  for (const [name, values] of Object.entries(exchange.req.queries())) {
    if (!known.includes(name)) throw invalidRequest(`${name}: unknown query parameter`);
    if (values.length > 1) throw invalidRequest(`${name}: sent more than once`);
    query[name] = values[0] ?? '';
  }
  return query;
}

/** A JSON reply in which large integers keep their digits. */
export function replyJson(exchange: Exchange, value: unknown, status: ContentfulStatusCode = 200): Response {
  return exchange.body(stringifyJson(value), status, {
    'content-type': 'application/json; charset=utf-8',
  });
}

/**
 * The address for media in replies, which browsers load. A server that passes requests on names the host that its own client
 * used in `X-Forwarded-Host`; the port is the sandbox's.
 */
export function getMediaOrigin(exchange: Exchange): string {
  const { port, origin } = new URL(exchange.req.url);
  const forwarded = exchange.req.header('x-forwarded-host');
  if (forwarded === undefined || !URL.canParse(`http://${forwarded}`)) return origin;
  return `http://${new URL(`http://${forwarded}`).hostname}:${port === '' ? '80' : port}`;
}

/** The sandbox's address as this client sees it, for links in replies. */
export function getOrigin(exchange: Exchange): string {
  return new URL(exchange.req.url).origin;
}

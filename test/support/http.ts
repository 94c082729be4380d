import { request as httpRequest } from 'node:http';
import type { ExecutionResult } from 'graphql';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { expect } from 'vitest';

type Headers = Readonly<Record<string, string>>;
/** The values of a list are sent as separate headers. */
type RequestHeaders = Readonly<Record<string, string | string[]>>;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body. @throws when it is not JSON */
  readonly json: ExecutionResult;
}

export interface RequestOptions {
  /** @default 'POST' with a body, else 'GET' */
  readonly method?: string;
  readonly headers?: RequestHeaders;
  /** Pieces are sent without `content-length`. */
  readonly body?: string | readonly Buffer[];
}

/** Sends a raw request. Adds no headers except `host`, `connection` and the body's length. */
export function sendRequest(
  url: string,
  { method, headers = {}, body = '' }: RequestOptions = {},
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const outgoing = httpRequest(
    url,
    { method: method ?? (body === '' ? 'GET' : 'POST'), headers, agent: false },
    (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value = '']) => [name, String(value)]),
          ),
          text,
          get json() {
            return JSON.parse(text) as ExecutionResult;
          },
        }),
      );
    },
  );
  outgoing.once('error', reject);
  if (typeof body === 'string') outgoing.end(body === '' ? undefined : body);
  else {
    for (const piece of body) outgoing.write(piece);
    outgoing.end();
  }
  return promise;
}

const json = { 'content-type': 'application/json' };

/** Posts an operation as JSON. */
export function postJson(url: string, body: unknown, headers: Headers = {}): Promise<Reply> {
  return sendRequest(url, {
    headers: { ...json, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export interface StreamedEvent {
  readonly event: string | undefined;
  readonly data: string;
}

/** Opens a stream of server-sent events with fetch only. Ends when the signal aborts. */
export async function openEventStream(
  url: string,
  body: unknown,
  { headers = {}, signal }: { readonly headers?: Headers; readonly signal?: AbortSignal } = {},
): Promise<{ readonly response: Response; readonly events: AsyncIterable<StreamedEvent> }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...json, accept: 'text/event-stream', ...headers },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  if (!response.body) throw new Error('the reply has no body');
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  return { response, events: events as unknown as AsyncIterable<StreamedEvent> }; // Readable streams are iterable in Node.
}

/** The parts of a `multipart/mixed` reply, checked byte by byte. */
export function partsOf(text: string): readonly unknown[] {
  const [opening = '', ...parts] = text.split('\r\n--graphql');
  expect(opening).toBe('');
  expect(parts.pop()).toBe('--\r\n');
  const head = '\r\ncontent-type: application/json\r\n\r\n';
  for (const part of parts) expect(part.slice(0, head.length)).toBe(head);
  return parts.map((part) => JSON.parse(part.slice(head.length)) as unknown);
}

/** The code of the only error. @throws when there is not exactly one */
export function codeOf(result: ExecutionResult): unknown {
  const [error, ...more] = result.errors ?? [];
  if (!error || more.length > 0) throw new Error(`expected one error: ${JSON.stringify(result)}`);
  return error.extensions?.['code'];
}

export async function toArray<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

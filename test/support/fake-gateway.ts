import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { serve } from './serve.ts';

export interface FakeGateway {
  readonly url: string;
  /** Method and path of every request, in order. */
  readonly requests: readonly string[];
}

/** Starts a gateway whose replies the test defines. Closed when the test ends. */
export async function startFakeGateway(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void | Promise<void>,
): Promise<FakeGateway> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => void answer(request, response, body));
  });
  const { url } = await serve(server);
  return { url, requests };
}

/** Replies with JSON. Sends text as is. */
export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Replies with server-sent events. Sends text as is, other values as JSON. */
export function sendEvents(
  response: ServerResponse,
  events: readonly unknown[],
  options: { readonly end?: boolean } = {},
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events)
    response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  if (options.end !== false) response.end();
}

import type { IncomingHttpHeaders } from 'node:http';
import { startApp, type TestApp, type TestAppOptions } from './app.ts';
import { startFakeGateway } from './fake-gateway.ts';
import { createInbox } from './inbox.ts';

/** One request that a test answers by hand. */
export interface Exchange {
  readonly headers: IncomingHttpHeaders;
  /** The raw request body. */
  readonly text: string;
  /** Sends the response head of an event stream. */
  accept(): void;
  /** Sends events in one write, which the client receives in one read. Sends text as is, other values as JSON. */
  send(...events: readonly unknown[]): void;
  /** Writes raw bytes. */
  write(text: string | Buffer): void;
  end(text?: string): void;
  reply(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void;
  cut(): void;
  /** Resolves when either side has ended the exchange. */
  readonly closed: Promise<void>;
}

export interface ScriptedGateway {
  readonly url: string;
  readonly requests: readonly string[];
  /** Resolves with the exchange at this index when its request has arrived. */
  exchange(index: number): Promise<Exchange>;
}

/** Starts a gateway whose replies the test writes byte by byte. Closed when the test ends. */
export async function startScriptedGateway(): Promise<ScriptedGateway> {
  const exchanges = createInbox<Exchange>();
  const { url, requests } = await startFakeGateway((request, response, text) => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    response.once('close', resolve);
    const accept = (): void => {
      if (response.headersSent) return;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
    };
    exchanges.push({
      headers: request.headers,
      text,
      closed,
      accept,
      send(...events) {
        accept();
        response.write(events.map(encodeEvent).join(''));
      },
      write(piece) {
        accept();
        response.write(piece);
      },
      end(piece = '') {
        accept();
        response.end(piece);
      },
      reply(status, body, headers = { 'content-type': 'application/json' }) {
        response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
      },
      cut: () => void response.socket?.destroy(),
    });
  });
  return { url, requests, exchange: exchanges.at };
}

function encodeEvent(event: unknown): string {
  return `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`;
}

/** A chat completion chunk for the first choice. */
export function chunk(delta: object, finishReason: string | null = null): object {
  return { id: 'c1', model: 'm', choices: [{ index: 0, delta, finish_reason: finishReason }] };
}

export function words(...contents: readonly string[]): readonly object[] {
  return contents.map((content) => chunk({ content }));
}

/** Starts the program with a scripted gateway. */
export async function startScripted(
  options: TestAppOptions = {},
): Promise<{ readonly app: TestApp; readonly gateway: ScriptedGateway } & AsyncDisposable> {
  const gateway = await startScriptedGateway();
  const app = await startApp({
    ...options,
    gatewayUrl: gateway.url,
    env: { SHUTDOWN_SECONDS: '0.05', ...options.env },
  });
  return { app, gateway, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

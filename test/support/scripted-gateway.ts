import type { IncomingHttpHeaders } from 'node:http';
import { startApp, type TestApp, type TestAppOptions } from './app.ts';
import { startFakeGateway } from './fake-gateway.ts';
import { createInbox } from './inbox.ts';

/** One request that a test answers by hand. */
export interface Exchange {
  readonly headers: IncomingHttpHeaders;
  /** The request's body as it came. */
  readonly text: string;
  /** Accepts the request as a stream: head only. */
  accept(): void;
  /** Events in one write, hence in one read of the client; text is taken as it is. */
  send(...events: readonly unknown[]): void;
  /** Anything at all. */
  write(text: string | Buffer): void;
  end(text?: string): void;
  reply(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void;
  cut(): void;
  /** Resolves when the connection is over, whoever ended it. */
  readonly closed: Promise<void>;
}

export interface ScriptedGateway {
  readonly url: string;
  readonly requests: readonly string[];
  /** The exchange of this number, from 0, once its request is there. */
  exchange(index: number): Promise<Exchange>;
}

/** A gateway whose every byte a test writes itself. Closed when the test ends. */
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

/** A chunk of the first choice. */
export function chunk(delta: object, finishReason: string | null = null): object {
  return { id: 'c1', model: 'm', choices: [{ index: 0, delta, finish_reason: finishReason }] };
}

export function words(...contents: readonly string[]): readonly object[] {
  return contents.map((content) => chunk({ content }));
}

/** The program against a gateway that the test plays. */
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

import type { IncomingHttpHeaders } from 'node:http';
import { startApp, type TestApp } from './app.ts';
import { sendJson, startFakeGateway } from './fake-gateway.ts';

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface AnsweringApp extends AsyncDisposable {
  readonly app: TestApp;
  readonly gatewayUrl: string;
  /** Method and path of every request, in order. */
  readonly requests: readonly string[];
  readonly received: readonly ReceivedRequest[];
}

/** Starts the program with a gateway that always sends the same reply: text as is, other values as JSON. */
export async function startAnswering(answer: unknown, status = 200): Promise<AnsweringApp> {
  const received: ReceivedRequest[] = [];
  const { url, requests } = await startFakeGateway((request, response, text) => {
    received.push({ headers: request.headers, body: JSON.parse(text) });
    sendJson(response, answer, status);
  });
  const app = await startApp({ gatewayUrl: url });
  return {
    app,
    gatewayUrl: url,
    requests,
    received,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

import type { IncomingHttpHeaders } from 'node:http';
import { parseJson } from '../../src/lib/json.ts';
import { startApp, type TestApp, type TestAppOptions } from './app.ts';
import { sendJson, startFakeGateway } from './fake-gateway.ts';

/** One request as received by the gateway. */
export interface RecordedRequest {
  readonly method: string;
  /** Includes the query string. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body with exact wide integers. Undefined without a body. */
  readonly body: unknown;
  readonly text: string;
}

export interface RecordedReply {
  /** @default 200 */
  readonly status?: number;
  /** Objects are sent as JSON, text as is. */
  readonly body: unknown;
}

export interface RecordingGateway {
  readonly requests: readonly RecordedRequest[];
  /** Sets the reply to all following requests. */
  answer(reply: RecordedReply | ((request: RecordedRequest) => RecordedReply)): void;
}

/** Starts the program with a gateway that records every request and replies as the test defines. */
export async function startRecorded(
  options: TestAppOptions = {},
): Promise<{ readonly app: TestApp; readonly gateway: RecordingGateway } & AsyncDisposable> {
  const requests: RecordedRequest[] = [];
  let answer = (_request: RecordedRequest): RecordedReply => ({ body: {} });
  const { url } = await startFakeGateway((incoming, response, text) => {
    const request: RecordedRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: text === '' ? undefined : parseJson(text),
      text,
    };
    requests.push(request);
    const { status = 200, body } = answer(request);
    sendJson(response, body, status);
  });
  const app = await startApp({ ...options, gatewayUrl: url });
  return {
    app,
    gateway: {
      requests,
      answer: (reply) => void (answer = typeof reply === 'function' ? reply : () => reply),
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

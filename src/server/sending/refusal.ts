import type { ServerResponse } from 'node:http';
import { type ErrorCode, errorCodes, type RetryAdvice } from '../../error-codes.ts';

/** A request that is answered without GraphQL. */
export interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number | undefined;
  /** @default the usual advice of the code */
  readonly retry?: RetryAdvice | undefined;
  /** Of the limit that refuses the request. For the log. */
  readonly setting?: string | undefined;
}

/** Answers a request without GraphQL. Its log line says why. */
export function sendRefusal(
  response: ServerResponse & { refusal: Refusal | undefined },
  refusal: Refusal,
): void {
  response.refusal = refusal;
  const { status, code, message, headers = {}, retryAfterSeconds } = refusal;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
  const { retry = errorCodes[code].retry } = refusal;
  const requestId = response.getHeader('x-request-id');
  sendJson(response, status, {
    errors: [{ message, extensions: { code, retry, retryAfterSeconds, requestId } }],
  });
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}

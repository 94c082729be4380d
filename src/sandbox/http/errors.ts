import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** The HTTP status and the gateway's error object of a refusal. */
export interface RefusalOptions {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly message: string;
  /** @default 'new_api_error', for decisions of the gateway itself */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refused request. Handlers throw it; `createApp` turns it into a reply. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ status, code, message, type = 'new_api_error', headers = {} }: RefusalOptions) {
    super(message);
    this.status = status;
    this.code = code;
    this.type = type;
    this.headers = headers;
  }
}

/** Refuses a request that the gateway's document does not allow; the message names the member. */
export function invalidRequest(message: string): Refusal {
  return new Refusal({ status: 400, code: 'invalid_request', type: 'invalid_request_error', message });
}

export function notFound(message: string): Refusal {
  return new Refusal({ status: 404, code: 'not_found', type: 'invalid_request_error', message });
}

export function rateLimited(): Refusal {
  return new Refusal({
    status: 429,
    code: 'rate_limit_exceeded',
    message: 'Too many requests: try again in 2 seconds',
    headers: { 'retry-after': '2' },
  });
}

/** The body of every refusal. */
export function toErrorBody({ message, type, code }: Pick<Refusal, 'message' | 'type' | 'code'>): {
  error: { message: string; type: string; code: string };
} {
  return { error: { message, type, code } };
}

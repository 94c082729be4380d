import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** What the sandbox answers when it refuses a request: an HTTP status and the gateway's error object. */
export interface RefusalOptions {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly message: string;
  /** @default 'new_api_error', the word for a decision of the gateway itself */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refused request. Thrown by handlers, turned into a reply in one place. */
export class Refusal extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(options: RefusalOptions) {
    super(options.message);
    this.name = 'Refusal';
    this.status = options.status;
    this.code = options.code;
    this.type = options.type ?? 'new_api_error';
    this.headers = options.headers ?? {};
  }
}

/** A request that breaks the gateway's document; the message names the member. */
export function invalidRequest(message: string): Refusal {
  return new Refusal({ status: 400, code: 'invalid_request', type: 'invalid_request_error', message });
}

export function notFound(message: string): Refusal {
  return new Refusal({ status: 404, code: 'not_found', type: 'invalid_request_error', message });
}

/** The body of every refusal. */
export function toErrorBody({ message, type, code }: Pick<Refusal, 'message' | 'type' | 'code'>): {
  error: { message: string; type: string; code: string };
} {
  return { error: { message, type, code } };
}

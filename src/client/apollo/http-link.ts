import { ApolloLink } from '@apollo/client/link';
import { HttpLink } from '@apollo/client/link/http';
import { RetryLink } from '@apollo/client/link/retry';
import { CombinedProtocolErrors, ServerError } from '@apollo/client/errors';
import { isSubscriptionOperation } from '@apollo/client/utilities';
import { isTransient, toProblem } from '../problem.ts';
import { backoffMs } from '../reconnecting.ts';

/** The server sends a heartbeat every five seconds. */
const defaultDeadlineMs = 9000;

export interface ApolloHttpOptions extends HttpLink.Options {
  /** Milliseconds to wait for the next part of a subscription, which may be a heartbeat. @default 9000 */
  readonly heartbeatTimeout?: number | undefined;
}

/**
 * Without a WebSocket: subscriptions are multipart replies. One that breaks, or that misses its heartbeat, begins again with
 * the same variables. A chat continues because it has its key, and a list because it has its cursor.
 */
export function createApolloHttpLink({
  heartbeatTimeout = defaultDeadlineMs,
  fetch: own,
  ...options
}: ApolloHttpOptions): ApolloLink {
  const again = new RetryLink({
    attempts: (_count, { query }, error) => isSubscriptionOperation(query) && isPassing(error),
    delay: (count) => backoffMs(count - 1),
  });
  const send: typeof fetch = (input, init) => (own ?? fetch)(input, init);
  return ApolloLink.from([again, new HttpLink({ ...options, fetch: withDeadline(send, heartbeatTimeout) })]);
}

function isPassing(error: unknown): boolean {
  if (CombinedProtocolErrors.is(error)) return isTransient(toProblem(error.errors));
  return !ServerError.is(error) || error.statusCode >= 500 || error.statusCode === 429;
}

/** Fails a subscription whose server is silent. A connection that dies without closing would be silent forever. */
function withDeadline(send: typeof fetch, deadlineMs: number): typeof fetch {
  return async (input, init) => {
    if (!/subscriptionSpec/.test(new Headers(init?.headers).get('accept') ?? '')) return send(input, init);
    const dead = new AbortController();
    const { signal } = init ?? {};
    const abort = (): void => dead.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    /** Stops waiting, and aborts, when nothing arrives in time. */
    const within = async <Value>(arriving: Promise<Value>): Promise<Value> => {
      const timer = setTimeout(() => dead.abort(new Error('The server is silent.')), deadlineMs);
      try {
        return await arriving;
      } finally {
        clearTimeout(timer);
      }
    };
    const response = await within(send(input, { ...init, signal: dead.signal }));
    const reader = response.body?.getReader();
    if (!reader) return response;
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await within(reader.read());
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
    return new Response(body, response);
  };
}

import { originOf } from '../lib/addresses.ts';
import { isLogged, type Log } from '../lib/log.ts';
import { abbreviate } from '../lib/text.ts';
import { traceHeaders } from '../lib/trace-context.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Span, Tracing } from '../tracing/tracing.ts';
import { isRedirect } from './decode-error.ts';
import { type HttpClient, type HttpReply, type HttpRequest, HttpRequestError } from './http-client.ts';
import { type BodyEnd, ObservedReply } from './observed-reply.ts';
import { createRequestSpans } from './request-spans.ts';

export interface ObserveOptions {
  readonly origin: string;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing | undefined;
  /** Requests whose reply has not begun. */
  readonly waiting: { count: number };
}

/** Reports each request when its reply has ended: a log line, a warning for failures of the gateway, its duration, and a span. */
export function observeHttpClient(client: HttpClient, options: ObserveOptions): HttpClient {
  const { origin, tracing } = options;
  const startSpan = tracing && createRequestSpans(origin, tracing);
  return {
    async send(request) {
      const startedAt = performance.now();
      const span = startSpan?.(request);
      const report = createReport(request, { startedAt, span }, options);
      try {
        const reply = await waitFor(client.send(span ? withTrace(request, span) : request), options);
        const { status } = reply;
        request.onReply?.({ status, durationMs: performance.now() - startedAt });
        const retryAfter = isFailureOfGateway(status) ? reply.header('retry-after') : undefined;
        const redirectedTo = isRedirect(status) ? originOf(reply.header('location')) : undefined;
        return new ObservedReply(reply, (end) =>
          report({ status, retryAfter, redirectedTo, ...describeEnd(end) }),
        );
      } catch (error) {
        if (error instanceof HttpRequestError)
          report({ error: error.isSent ? 'no_reply' : 'not_sent', reason: error.message });
        else report({ error: 'defect' });
        throw error;
      }
    },
    close: () => client.close(),
  };
}

function withTrace(request: HttpRequest, { trace }: Span): HttpRequest {
  return { ...request, headers: { ...request.headers, ...traceHeaders(trace) } };
}

async function waitFor(reply: Promise<HttpReply>, { waiting }: ObserveOptions): Promise<HttpReply> {
  waiting.count += 1;
  try {
    return await reply;
  } finally {
    waiting.count -= 1;
  }
}

function describeEnd(end: BodyEnd): Pick<RequestOutcome, 'error' | 'reason'> {
  if (!('error' in end)) return {};
  return { error: 'cut', ...(end.error instanceof Error && { reason: end.error.message }) };
}

interface RequestOutcome {
  readonly status?: number;
  readonly error?: string;
  readonly reason?: string;
  readonly retryAfter?: string | undefined;
  /** Only the origin: the rest may have a secret. */
  readonly redirectedTo?: string | undefined;
}

/** Without the request: its body may be large, and a stream holds its report until it ends. */
function createReport(
  { method, template: endpoint, owner, taskIds, headers, signal, onReply }: HttpRequest,
  { startedAt, span }: { readonly startedAt: number; readonly span: Span | undefined },
  { log, metrics }: ObserveOptions,
): (outcome: RequestOutcome) => void {
  const requestId = headers['x-request-id'];
  return ({ status, retryAfter, redirectedTo, ...failure }) => {
    // This server ended the request, for example because its client canceled the chat: no failure of the gateway.
    const { error, reason } = failure.error !== undefined && signal?.aborted ? { error: 'aborted' } : failure;
    const durationMs = performance.now() - startedAt;
    onReply?.({ status, durationMs });
    span?.end({
      ...(status !== undefined && { facts: { 'http.response.status_code': status } }),
      error: error ?? errorOfStatus(status, 400),
    });
    const isFailure = error === undefined ? isFailureOfGateway(status) : error !== 'aborted';
    if (!isFailure && !metrics && !isLogged(log, 'debug')) return;
    log[isFailure ? 'warn' : 'debug'](
      {
        requestId,
        owner,
        ...describeTasks(taskIds),
        method,
        endpoint,
        status,
        error,
        reason,
        retryAfter: retryAfter && abbreviate(retryAfter, 50),
        redirectedTo: redirectedTo && abbreviate(redirectedTo, 200),
        durationMs: Math.round(durationMs * 10) / 10,
      },
      'gateway request',
    );
    metrics?.record('http.client.request.duration', durationMs / 1000, {
      'http.request.method': method,
      'url.template': endpoint,
      'http.response.status_code': status,
      'error.type': error ?? errorOfStatus(status, 300),
    });
  };
}

function errorOfStatus(status = 0, lowest: number): string | undefined {
  return status >= lowest ? String(status) : undefined;
}

function describeTasks(taskIds: readonly string[] = []): object {
  const [taskId] = taskIds;
  return taskIds.length > 1 ? { taskIds } : { taskId };
}

/** A redirect too: the gateway's URL is wrong. Other refusals, such as 401, are the answer to what the client sent. */
function isFailureOfGateway(status = 0): boolean {
  return status === 429 || status >= 500 || isRedirect(status);
}

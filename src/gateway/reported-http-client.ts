import { originOf } from '../lib/addresses.ts';
import { isLogged, type Log } from '../lib/log.ts';
import { abbreviate } from '../lib/text.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { isRedirect } from './decode-error.ts';
import { type HttpClient, type HttpRequest, HttpRequestError } from './http-client.ts';
import { type BodyEnd, ObservedReply } from './observed-reply.ts';

export interface ReportOptions {
  readonly log: Log;
  readonly metrics: Metrics | undefined;
}

/** Reports each request when its reply has ended: a log line, a warning for failures of the gateway, and its duration. */
export function reportHttpClient(client: HttpClient, options: ReportOptions): HttpClient {
  return {
    async send(request) {
      const startedAt = performance.now();
      const report = createReport(request, startedAt, options);
      try {
        const reply = await client.send(request);
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
        else report({ error: 'aborted' });
        throw error;
      }
    },
    close: () => client.close(),
  };
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
  { method, path, owner, taskIds, headers, onReply }: HttpRequest,
  startedAt: number,
  { log, metrics }: ReportOptions,
): (outcome: RequestOutcome) => void {
  const requestId = headers['x-request-id'];
  return ({ status, error, reason, retryAfter, redirectedTo }) => {
    const durationMs = performance.now() - startedAt;
    onReply?.({ status, durationMs });
    const isFailure = error === undefined ? isFailureOfGateway(status) : error !== 'aborted';
    if (!isFailure && !metrics && !isLogged(log, 'debug')) return;
    const endpoint = toTemplate(path);
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
      'error.type': error ?? (status !== undefined && status >= 300 ? String(status) : undefined),
    });
  };
}

function describeTasks(taskIds: readonly string[] = []): object {
  const [taskId] = taskIds;
  return taskIds.length > 1 ? { taskIds } : { taskId };
}

/** A redirect too: the gateway's URL is wrong. Other refusals, such as 401, are the answer to what the client sent. */
function isFailureOfGateway(status = 0): boolean {
  return status === 429 || status >= 500 || isRedirect(status);
}

/** The path with a placeholder for each segment that is no plain word: ids and models. */
export function toTemplate(path: string): string {
  const [plain = ''] = path.split('?');
  return plain
    .split('/')
    .map((segment) => {
      if (/^(v\d+(alpha|beta)?\d*|[a-z][a-z_-]{0,30}|)$/i.test(segment)) return segment;
      const [, action = ''] = /(:[a-z]+)$/i.exec(segment) ?? [];
      return `{id}${action}`;
    })
    .join('/');
}

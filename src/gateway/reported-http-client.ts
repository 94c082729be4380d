import type { Log } from '../lib/log.ts';
import { abbreviate } from '../lib/text.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type HttpClient, type HttpReply, type HttpRequest, HttpRequestError } from './http-client.ts';

export interface ReportOptions {
  readonly log: Log;
  readonly metrics: Metrics | undefined;
}

/** Reports each request when its reply has ended: a log line, a warning for failures of the gateway, and its duration. */
export function reportHttpClient(client: HttpClient, options: ReportOptions): HttpClient {
  return {
    async send(request) {
      const report = createReport(request, options);
      try {
        const startedAt = performance.now();
        const reply = await client.send(request);
        request.onReply?.({ status: reply.status, durationMs: performance.now() - startedAt });
        const retryAfter = isFailureOfGateway(reply.status) ? reply.header('retry-after') : undefined;
        return reportBody(reply, (outcome) => report({ ...outcome, retryAfter }));
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

interface RequestOutcome {
  readonly status?: number;
  readonly error?: string;
  readonly reason?: string;
  readonly retryAfter?: string | undefined;
}

/** Without the request: its body may be large, and a stream holds its report until it ends. */
function createReport(
  { method, path, owner, taskIds, headers, onReply }: HttpRequest,
  { log, metrics }: ReportOptions,
): (outcome: RequestOutcome) => void {
  const startedAt = performance.now();
  const requestId = headers['x-request-id'];
  let isReported = false;
  return ({ status, error, reason, retryAfter }) => {
    if (isReported) return;
    isReported = true;
    const durationMs = performance.now() - startedAt;
    onReply?.({ status, durationMs });
    const endpoint = toTemplate(path);
    const isFailure = error === undefined ? isFailureOfGateway(status) : error !== 'aborted';
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
        durationMs: Math.round(durationMs * 10) / 10,
      },
      'gateway request',
    );
    metrics?.record('http.client.request.duration', durationMs / 1000, {
      'http.request.method': method,
      'url.template': endpoint,
      'http.response.status_code': status,
      'error.type': error ?? (status !== undefined && status >= 400 ? String(status) : undefined),
    });
  };
}

function describeTasks(taskIds: readonly string[] = []): object {
  const [taskId] = taskIds;
  return taskIds.length > 1 ? { taskIds } : { taskId };
}

/** Other refusals, such as 401, are the answer to what the client sent. */
function isFailureOfGateway(status = 0): boolean {
  return status === 429 || status >= 500;
}

function reportBody(reply: HttpReply, report: (outcome: RequestOutcome) => void): HttpReply {
  const { status } = reply;
  const reported = async <Result>(body: Promise<Result>): Promise<Result> => {
    try {
      const result = await body;
      report({ status });
      return result;
    } catch (error) {
      report({ status, error: 'cut', ...(error instanceof Error && { reason: error.message }) });
      throw error;
    }
  };
  return {
    status,
    header: reply.header,
    peek: reply.peek,
    consume: (onData) => reported(reply.consume(onData)),
    text: (maxBytes) => reported(reply.text(maxBytes)),
    discard() {
      reply.discard();
      report({ status });
    },
  };
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

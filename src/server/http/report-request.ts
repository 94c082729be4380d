import type { IncomingMessage } from 'node:http';
import { isLogged, type Log } from '../../lib/log.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { traceRefused } from '../operation/trace-refused.ts';
import { findTrace } from '../operation/traces.ts';
import type { TrackedResponse } from '../sending/tracked-response.ts';
import { isPlaygroundPath } from './page-paths.ts';
import { transportOf } from './event-replies.ts';
import { isForEditor, pathOf } from './routes.ts';

export interface ReportOptions {
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing | undefined;
  readonly addressOf: (request: IncomingMessage) => string;
}

/** Writes the log line, the span and the metric of a request. An operation has a line and a span of its own. */
export function reportRequest(
  request: IncomingMessage,
  response: TrackedResponse,
  { requestId, durationMs }: { readonly requestId: string; readonly durationMs: number },
  { log, tracing, metrics, addressOf }: ReportOptions,
): void {
  const { method = '' } = request;
  const { statusCode: status, refusal } = response;
  const path = pathOf(request);
  const isReported = response.operation?.isReported === true;
  const isUsual =
    path.startsWith('/health') ||
    path === '/metrics' ||
    (path.startsWith('/files/') && status < 400) ||
    (path === '/graphql' && (status < 400 || isReported));
  const level = isUsual ? 'debug' : status === 429 || status >= 500 ? 'warn' : 'info';
  if (isLogged(log, level))
    log[level](
      {
        requestId,
        method,
        path,
        status,
        durationMs: Math.round(durationMs),
        address: addressOf(request),
        code: refusal?.code,
        reason: refusal?.message,
        limit: refusal?.setting,
      },
      response.writableFinished ? 'request' : 'request aborted by the client',
    );
  if (tracing && response.writableFinished && !isReported && isOperation(request, path))
    // It was answered before its execution.
    traceRefused(tracing, {
      requestId,
      transport: transportOf(response.acceptedRanges),
      trace: findTrace(request.headers),
      codes: [refusal?.code ?? (status >= 500 ? 'INTERNAL' : 'BAD_REQUEST')],
      durationMs,
    });
  metrics?.record('http.server.request.duration', durationMs / 1000, {
    'http.request.method': method,
    'http.route': routeOf(path),
    'http.response.status_code': status,
  });
}

const routes: ReadonlySet<string> = new Set(['/', '/graphql', '/health/live', '/health/ready', '/metrics']);

function routeOf(path: string): string | undefined {
  if (routes.has(path)) return path;
  if (path.startsWith('/graphiql/')) return '/graphiql/*';
  if (path.startsWith('/files/')) return '/files/*';
  return isPlaygroundPath(path) ? '/playground/*' : undefined;
}

function isOperation(request: IncomingMessage, path: string): boolean {
  const { method } = request;
  return path === '/graphql' && (method === 'GET' || method === 'POST') && !isForEditor(request);
}

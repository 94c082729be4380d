import { traceHeaders } from '../lib/trace-context.ts';
import type { Span, Tracing } from '../tracing/tracing.ts';
import { HttpRequestError, type HttpClient, type HttpReply } from './http-client.ts';
import { ObservedReply } from './observed-reply.ts';

/** Creates a span per request, up to the end of the body. Redacts the values in the query, which may be credentials. */
export function traceHttpClient(client: HttpClient, origin: string, tracing: Tracing): HttpClient {
  const { hostname, port, protocol } = new URL(origin);
  const serverPort = Number(port || (protocol === 'https:' ? 443 : 80));
  return {
    async send(request) {
      const span = tracing.start({
        name: `${request.method} ${request.template}`,
        kind: 'client',
        parent: request.trace,
        facts: {
          'http.request.method': request.method,
          'server.address': hostname,
          'server.port': serverPort,
          'url.full': origin + redactQuery(request.path),
          'url.path': request.path.split('?')[0],
          'url.template': request.template,
        },
      });
      for (const traceparent of request.origins ?? []) span.link({ traceparent });
      try {
        const headers = { ...request.headers, ...traceHeaders(span.trace) };
        return endWithBody(await client.send({ ...request, headers }), { span, signal: request.signal });
      } catch (error) {
        span.end({ error: failureOf(error, request.signal) });
        throw error;
      }
    },
    close: () => client.close(),
  };
}

/** As the conventions write it. */
function redactQuery(path: string): string {
  const [plain = '', query] = path.split('?');
  return query === undefined ? plain : `${plain}?${query.replaceAll(/=[^&]*/g, '=REDACTED')}`;
}

/** As in the metrics: `aborted` if this server ended the request. */
function failureOf(error: unknown, signal: AbortSignal | undefined): string {
  if (!(error instanceof HttpRequestError)) return 'defect';
  if (signal?.aborted) return 'aborted';
  return error.isSent ? 'no_reply' : 'not_sent';
}

function endWithBody(
  reply: HttpReply,
  { span, signal }: { readonly span: Span; readonly signal: AbortSignal | undefined },
): HttpReply {
  const { status } = reply;
  const facts = { 'http.response.status_code': status };
  return new ObservedReply(reply, (end) => {
    const error = status >= 400 ? String(status) : undefined;
    const cut = signal?.aborted ? 'aborted' : 'cut';
    span.end({ facts, error: 'error' in end ? cut : error });
  });
}

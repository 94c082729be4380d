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
        name: request.method,
        kind: 'client',
        parent: request.trace,
        facts: {
          'http.request.method': request.method,
          'server.address': hostname,
          'server.port': serverPort,
          'url.full': origin + redactQuery(request.path),
          'url.path': request.path.split('?')[0],
        },
      });
      for (const traceparent of request.origins ?? []) span.link({ traceparent });
      try {
        const headers = { ...request.headers, ...traceHeaders(span.trace) };
        return endWithBody(await client.send({ ...request, headers }), span);
      } catch (error) {
        span.end({ error: error instanceof HttpRequestError ? 'no_reply' : 'defect' });
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

function endWithBody(reply: HttpReply, span: Span): HttpReply {
  const { status } = reply;
  const facts = { 'http.response.status_code': status };
  return new ObservedReply(reply, (end) => {
    const error = status >= 400 ? String(status) : undefined;
    span.end({ facts, error: 'error' in end ? 'cut' : error });
  });
}

import type { Span, Tracing } from '../tracing/tracing.ts';
import type { HttpRequest } from './http-client.ts';

/** Starts the spans of requests. Redacts the values in the query, which may be credentials. */
export function createRequestSpans(origin: string, tracing: Tracing): (request: HttpRequest) => Span {
  const { hostname, port, protocol } = new URL(origin);
  const serverPort = Number(port || (protocol === 'https:' ? 443 : 80));
  return ({ method, path, template, trace, origins = [] }) => {
    const span = tracing.start({
      name: `${method} ${template}`,
      kind: 'client',
      parent: trace,
      facts: {
        'http.request.method': method,
        'server.address': hostname,
        'server.port': serverPort,
        'url.full': origin + redactQuery(path),
        'url.path': path.split('?')[0],
        'url.template': template,
      },
    });
    for (const traceparent of origins) span.link({ traceparent });
    return span;
  };
}

/** As the conventions write it. */
function redactQuery(path: string): string {
  const [plain = '', query] = path.split('?');
  return query === undefined ? plain : `${plain}?${query.replaceAll(/=[^&]*/g, '=REDACTED')}`;
}

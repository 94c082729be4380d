import { traceHeaders } from '../lib/trace-context.ts';
import type { Span, Tracing } from '../tracing/tracing.ts';
import { ExchangeError, type Exchanger, type ExchangeReply } from './exchange.ts';

/** Each request is a span, to the end of its reply's body. The query is left out: it may hold a credential. */
export function traceExchanger(exchanger: Exchanger, origin: string, tracing: Tracing): Exchanger {
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
          'url.path': request.path.split('?')[0],
        },
      });
      try {
        const headers = { ...request.headers, ...traceHeaders(span.trace) };
        return endWithBody(await exchanger.send({ ...request, headers }), span);
      } catch (error) {
        span.end({ error: error instanceof ExchangeError ? 'no_reply' : 'defect' });
        throw error;
      }
    },
    close: () => exchanger.close(),
  };
}

function endWithBody(reply: ExchangeReply, span: Span): ExchangeReply {
  const { status } = reply;
  const facts = { 'http.response.status_code': status };
  const error = status >= 400 ? String(status) : undefined;
  const ended = async <Result>(body: Promise<Result>): Promise<Result> => {
    try {
      const result = await body;
      span.end({ facts, error });
      return result;
    } catch (failure) {
      span.end({ facts, error: 'cut' });
      throw failure;
    }
  };
  return {
    status,
    header: reply.header,
    consume: (onData) => ended(reply.consume(onData)),
    text: (maxBytes) => ended(reply.text(maxBytes)),
    discard() {
      reply.discard();
      span.end({ facts, error });
    },
  };
}

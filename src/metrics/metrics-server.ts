import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { listen } from '../lib/listen.ts';

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the figures at `/metrics` on a port of its own. @throws the listen error if the port is taken */
export async function listenForMetrics(
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const isKnown = request.url?.split('?')[0] === '/metrics';
    if (isKnown && (request.method === 'GET' || request.method === 'HEAD')) void serve(request, response);
    else response.writeHead(isKnown ? 405 : 404, { 'content-length': '0' }).end();
  });
  const url = `${await listen(server, port, host)}/metrics`;
  return {
    url,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

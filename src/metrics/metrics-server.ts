import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';

export interface MetricsServer {
  close(): Promise<void>;
}

/** Serves the figures at `/metrics` on a port of its own. @throws the listen error if the port is taken */
export async function listenForMetrics(
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  address: { readonly port: number; readonly host: string },
): Promise<MetricsServer & { readonly url: string }> {
  const server = createServer((request, response) => {
    const isKnown = request.url?.split('?')[0] === '/metrics';
    if (isKnown && (request.method === 'GET' || request.method === 'HEAD')) void serve(request, response);
    else response.writeHead(isKnown ? 405 : 404, { 'content-length': '0' }).end();
  });
  server.listen(address.port, address.host);
  await once(server, 'listening');
  // The address of a TCP server is an AddressInfo.
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : address.port;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return {
    url: `http://${host}:${port}/metrics`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

import { once } from 'node:events';
import type { Server } from 'node:net';

/** Listens on a port; 0 is any free one. Returns the address. @throws the error of the server if it cannot listen */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  // A server that listens on a port has an object.
  const bound = typeof address === 'object' ? address?.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

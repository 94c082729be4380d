import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';

export interface SiteFile {
  readonly type: string;
  readonly body: string;
}

export interface SiteServer {
  readonly url: string;
  /** Forwards everything but the files to this program. */
  forwardTo(programUrl: string): void;
}

/** Serves a page and forwards the rest to a program, so that both have one origin. Closed when the test ends. */
export async function startSiteServer(files: ReadonlyMap<string, SiteFile>): Promise<SiteServer> {
  let program = new URL('http://127.0.0.1:1');
  const sockets = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    const file = files.get(new URL(incoming.url ?? '/', 'http://site').pathname);
    if (file) outgoing.writeHead(200, { 'content-type': file.type }).end(file.body);
    else forward(incoming, outgoing, program);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (incoming, socket, head) => upgrade({ incoming, socket, head }, program));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  return {
    url: `http://127.0.0.1:${port}`,
    forwardTo: (programUrl) => void (program = new URL(programUrl)),
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, { hostname, port }: URL): void {
  const { method, url, headers } = incoming;
  const onward = request({ hostname, port, method, path: url, headers }, (reply) => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
    outgoing.flushHeaders();
    reply.on('error', () => outgoing.destroy());
    reply.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  outgoing.once('close', () => onward.destroy());
  incoming.pipe(onward);
}

interface Upgrade {
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

function upgrade({ incoming, socket, head }: Upgrade, { hostname, port }: URL): void {
  const { method, url, rawHeaders } = incoming;
  const onward = connect(Number(port), hostname);
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  onward.write(`${lines.join('\r\n')}\r\n\r\n`);
  onward.write(head);
  for (const [from, to] of [
    [socket, onward],
    [onward, socket],
  ] as const) {
    from.on('error', () => to.destroy());
    from.once('close', () => to.destroy());
    from.pipe(to);
  }
}

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The head of a reply, up to its blank line. */
export function replyHead(
  headers: Readonly<Record<string, string | number>> = {},
  status = '200 OK',
): string {
  const lines = Object.entries({ ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
}

/** Starts a gateway whose replies the test writes as bytes of the connection. Closed when the test ends. */
export async function startRawGateway(
  answer: (socket: Socket, request: string) => void | Promise<void>,
): Promise<{ readonly url: string; readonly requestCount: () => number }> {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => {});
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      const headEnd = received.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (headEnd === -1 || received.length < headEnd + 4 + length) return;
      const request = received;
      received = '';
      requests += 1;
      void answer(socket, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requestCount: () => requests,
  };
}

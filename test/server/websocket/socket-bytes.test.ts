import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { SocketBytes } from '../../../src/server/websocket/socket-bytes.ts';
import { createManualClock } from '../../support/manual-clock.ts';

/** A WebSocket of the server, on a connection whose packets the test writes. */
function openSocket(): { readonly socket: WebSocket; readonly connection: Socket } {
  const stream = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const connection = Object.assign(stream, { bytesRead: 0 }) as Socket;
  const request = new IncomingMessage(connection);
  request.method = 'GET';
  Object.assign(request.headers, {
    upgrade: 'websocket',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version': '13',
  });
  const opened: WebSocket[] = [];
  const server = new WebSocketServer({ noServer: true });
  server.handleUpgrade(request, connection, Buffer.alloc(0), (socket) => opened.push(socket));
  const [socket] = opened;
  if (!socket) throw new Error('the upgrade was refused');
  return { socket, connection };
}

function count({ socket, connection }: ReturnType<typeof openSocket>) {
  const clock = createManualClock();
  const onSlow = vi.fn<() => void>();
  const bytes = new SocketBytes(socket, {
    connection,
    receivedBytes: { total: 0, open: () => ({ update: () => {}, close: () => {} }) },
    source: () => ({ caller: undefined, address: '' }),
    clock,
    onExceeded: () => {},
    onSlow,
  });
  return { bytes, clock, onSlow };
}

test('a message of which only pings follow arrives too slowly', async () => {
  const opened = openSocket();
  const { clock, onSlow } = count(opened);
  const pinged = () => new Promise((resolve) => opened.socket.once('ping', resolve));
  // The first fragment of a text.
  opened.connection.emit('data', Buffer.from([0x01, 0x81, 0, 0, 0, 0, 0x7b]));
  for (let index = 0; index < 2; index += 1) {
    const ping = pinged();
    opened.connection.emit('data', Buffer.from([0x89, 0x80, 0, 0, 0, 0]));
    await ping;
    clock.advance(9000);
  }
  expect(onSlow).toHaveBeenCalledOnce();
});

test('pings that arrive together are no part of a message', async () => {
  const opened = openSocket();
  const { clock, onSlow } = count(opened);
  const pings = Promise.withResolvers<void>();
  let left = 3;
  opened.socket.on('ping', () => (left -= 1) === 0 && pings.resolve());
  const ping = [0x89, 0x80, 0, 0, 0, 0];
  opened.connection.emit('data', Buffer.from([...ping, ...ping, ...ping]));
  await pings.promise;
  clock.advance(20_000);
  expect(onSlow).not.toHaveBeenCalled();
});

test('the pieces of a frame that arrives in packets of one byte are joined', async () => {
  const { socket, connection } = openSocket();
  const { bytes } = count({ socket, connection });
  const text = 'x'.repeat(20_000);
  const received = new Promise<string>((resolve) =>
    socket.once('message', (data: Buffer) => {
      bytes.onMessage(data.length)();
      resolve(data.toString());
    }),
  );
  // A text of two bytes of length, with a mask that changes nothing.
  const head = Buffer.from([0x81, 0x80 | 126, text.length >> 8, text.length & 255, 0, 0, 0, 0]);
  const write = (packet: Buffer): void => void connection.emit('data', packet);
  for (const byte of Buffer.concat([head, Buffer.from(text.slice(1))])) write(Buffer.from([byte]));
  const { length } = Reflect.get(Reflect.get(socket, '_receiver') as object, '_buffers') as Buffer[];
  expect(length).toBeLessThan(20);
  write(Buffer.from('x'));
  expect(await received).toBe(text);
});

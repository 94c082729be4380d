import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { countFlushedBytes } from '../../../src/server/sending/flushed-bytes.ts';

const sizeBytes = 64 * 1024 * 1024;

test('progress within one write to a client that reads slowly is counted', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // Of a TCP server.
  const connected = once(server, 'connection');
  const client = connect(port, '127.0.0.1').pause();
  const [socket] = (await connected) as [Socket];
  onTestFinished(() => {
    client.destroy();
    socket.destroy();
    server.close();
  });
  socket.write(Buffer.alloc(sizeBytes));
  const first = countFlushedBytes(socket);
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(sizeBytes);
  let received = 0;
  client.on('data', (piece: Buffer) => {
    received += piece.length;
    if (received > sizeBytes / 2) client.pause();
  });
  client.resume();
  await expect.poll(() => countFlushedBytes(socket)).toBeGreaterThan(sizeBytes / 2);
  expect(countFlushedBytes(socket)).toBeLessThan(sizeBytes);
  // The public counters do not change before the whole write completes.
  expect(socket.bytesWritten - socket.writableLength).toBe(0);
  client.removeAllListeners('data').resume();
  await expect.poll(() => countFlushedBytes(socket)).toBe(sizeBytes);
});

import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startApp } from '../support/app.ts';

function openConnection(url: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  // The server may break the connection.
  return socket.on('error', () => {});
}

test('a connection breaks if more than 100 of its requests have no answer yet', async () => {
  await using app = await startApp();
  const socket = openConnection(app.url);
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
  socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(20_000));
  await new Promise((resolve) => socket.once('close', resolve));
  expect(text.split('{"status":"live"}').length - 1).toBeLessThanOrEqual(100);
});

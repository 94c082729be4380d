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
  const send = (count: number) => {
    const socket = openConnection(app.url);
    const received = { text: '', isClosed: false };
    socket.setEncoding('latin1').on('data', (piece: string) => (received.text += piece));
    socket.once('close', () => (received.isClosed = true));
    socket.write(`GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(count));
    return received;
  };
  const answered = ({ text }: { readonly text: string }) => text.split('{"status":"live"}').length - 1;
  const polite = send(100);
  await expect.poll(() => answered(polite)).toBe(100);
  const flooding = send(20_000);
  await expect.poll(() => flooding.isClosed).toBe(true);
  // It breaks without an answer to what is no fault of a request: a malformed one gets 400.
  expect(flooding.text).not.toContain('HTTP/1.1 4');
  expect(answered(flooding)).toBeLessThanOrEqual(100);
  expect(polite.isClosed).toBe(false);
});

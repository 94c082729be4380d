import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpClient, type HttpClient, type HttpRequest } from '../../src/gateway/http-client.ts';
import { stringifyInPieces } from '../../src/lib/json-pieces.ts';

const value = { model: 'm', image: 'data:image/png;base64,'.padEnd(8_000_000, 'iVBORw0K'), more: ['é🙂\n'] };
const body = await stringifyInPieces(value);

/** A server on loopback whose requests the test answers. */
async function startServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = createHttpClient({
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: 1,
  });
  onTestFinished(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return client;
}

function post(client: HttpClient, signal?: AbortSignal): ReturnType<HttpClient['send']> {
  const request: HttpRequest = {
    method: 'POST',
    path: '/',
    template: '/',
    headers: { 'content-type': 'application/json' },
    body,
    signal,
    headersTimeoutMs: 60_000,
    silenceTimeoutMs: 60_000,
  };
  return client.send(request);
}

describe('a large body', () => {
  test('arrives whole, with its length, also a second time over the same connection', async () => {
    const received: unknown[] = [];
    const client = await startServer((request, response) => {
      const hash = createHash('sha256');
      request.on('data', (chunk: Buffer) => hash.update(chunk));
      request.on('end', () => {
        const { headers, socket } = request;
        received.push([
          headers['content-length'],
          headers['transfer-encoding'],
          hash.digest('hex'),
          socket.remotePort,
        ]);
        response.end('{}');
      });
    });
    for (const _time of [1, 2]) expect(await (await post(client)).text(10)).toBe('{}');
    const text = Buffer.from(JSON.stringify(value));
    const [[length, encoding, hash, port] = [], again] = received as unknown[][];
    expect([length, encoding]).toEqual([String(text.length), undefined]);
    expect(hash).toBe(createHash('sha256').update(text).digest('hex'));
    expect(again).toEqual([length, encoding, hash, port]);
  });

  test('that is refused before it has arrived has that reply', async () => {
    const client = await startServer((_request, response) => {
      response.writeHead(413, { connection: 'close' }).end('too large');
    });
    const reply = await post(client);
    expect(reply.status).toBe(413);
    expect(await reply.text(100)).toBe('too large');
  });

  test('whose connection breaks in the middle may have been sent', async () => {
    const client = await startServer((request) => request.once('data', () => request.socket.destroy()));
    await expect(post(client)).rejects.toMatchObject({ name: 'HttpRequestError', isSent: true });
  });

  test('that is canceled in the middle ends its connection', async () => {
    const aborter = new AbortController();
    const closed = Promise.withResolvers<void>();
    const client = await startServer((request) => {
      request.once('close', () => closed.resolve());
      request.once('data', () => aborter.abort());
    });
    await expect(post(client, aborter.signal)).rejects.toMatchObject({ isSent: true });
    await closed.promise;
  });

  test('that nobody receives has not been sent', async () => {
    const client = createHttpClient({ origin: 'http://127.0.0.1:1', connections: 1 });
    onTestFinished(() => client.close());
    await expect(post(client)).rejects.toMatchObject({ isSent: false });
  });

  test('that is canceled before there is a connection is not sent', async () => {
    const client = await startServer(() => expect.unreachable());
    const aborter = new AbortController();
    const reply = post(client, aborter.signal);
    aborter.abort();
    await expect(reply).rejects.toMatchObject({ isSent: false });
  });
});

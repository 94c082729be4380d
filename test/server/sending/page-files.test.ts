import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createPageFiles, type PageFile } from '../../../src/server/sending/page-files.ts';
import { sendRequest } from '../../support/http.ts';

/** Serves one file at every path. */
async function serveFile(load: () => Promise<PageFile>): Promise<string> {
  const serve = createPageFiles({
    load: async () => new Map([['/a', await load()]]),
    advice: 'Reload the page.',
  });
  const server = createServer((request, response) => {
    serve('/a', request, response).catch(() => response.writeHead(500).end());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  // The address of a TCP server.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the files of a page are read again after a read that failed', async () => {
  let reads = 0;
  const url = await serveFile(async () => {
    reads += 1;
    if (reads === 1) throw new Error('EMFILE: too many open files');
    return { body: Buffer.from('text'), headers: () => ({}) };
  });
  const statuses: number[] = [];
  for (const _request of ['failed', 'first', 'second']) statuses.push((await sendRequest(url)).status);
  expect(statuses).toEqual([500, 200, 200]);
  expect(reads).toBe(2);
});

test('a file that the build has compressed is decompressed once', async () => {
  const body = brotliCompressSync('text');
  let reads = 0;
  const url = await serveFile(async () => ({
    get body() {
      reads += 1;
      return body;
    },
    encoding: 'br',
    headers: () => ({}),
  }));
  const texts = [];
  for (const _request of ['first', 'second']) texts.push((await sendRequest(url)).text);
  expect([texts, reads]).toEqual([['text', 'text'], 1]);
});

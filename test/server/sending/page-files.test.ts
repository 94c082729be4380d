import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createPageFiles, type PageFile } from '../../../src/server/sending/page-files.ts';
import { sendRequest } from '../../support/http.ts';

test('the files of a page are read again after a read that failed', async () => {
  const files = new Map<string, PageFile>([['/a', { body: Buffer.from('text'), headers: () => ({}) }]]);
  let reads = 0;
  const serve = createPageFiles({
    async load() {
      reads += 1;
      if (reads === 1) throw new Error('EMFILE: too many open files');
      return files;
    },
    advice: 'Reload the page.',
  });
  const server = createServer((request, response) => {
    serve('/a', request, response).catch(() => response.writeHead(500).end());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  // The address of a TCP server.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const statuses: number[] = [];
  for (const _request of ['failed', 'first', 'second']) statuses.push((await sendRequest(url)).status);
  expect(statuses).toEqual([500, 200, 200]);
  expect(reads).toBe(2);
});

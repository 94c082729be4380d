import { createServer } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createCompressor } from '../../../src/lib/compress.ts';
import { createPageFiles, type PageFile } from '../../../src/server/pages/page-files.ts';
import { createSendBuffers } from '../../../src/server/sending/send-buffers.ts';
import { TrackedResponse } from '../../../src/server/sending/tracked-response.ts';
import { advanceUntil } from '../../support/advance-until.ts';
import { sendRequest } from '../../support/http.ts';
import { createManualClock } from '../../support/manual-clock.ts';

/** Serves one file at every path. */
async function serveFile(
  load: () => Promise<PageFile>,
  begin: (response: TrackedResponse) => void = () => {},
): Promise<string> {
  const serve = createPageFiles({
    load: async () => new Map([['/a', await load()]]),
    advice: 'Reload the page.',
  });
  const server = createServer({ ServerResponse: TrackedResponse }, (request, response) => {
    begin(response);
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

test('a client that does not read a page is disconnected', async () => {
  const clock = createManualClock();
  const lines: string[] = [];
  const note = (_facts: object, line: string): void => void lines.push(line);
  const sendBuffers = createSendBuffers({
    maxBytes: Infinity,
    maxGroupBytes: Infinity,
    stallTimeoutMs: 1000,
    clock,
    log: { debug: note, info: note, warn: note, error: note },
  });
  const url = await serveFile(
    // More than the buffers of the system take.
    async () => ({ body: Buffer.alloc(32_000_000), encoding: 'none', headers: () => ({}) }),
    (response) => {
      const client = () => ({ group: '', owner: undefined, address: '' });
      response.track({ sendBuffers, compressor: createCompressor(), requestId: '', client });
    },
  );
  const stuck = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void stuck.destroy());
  stuck.pause().write('GET /a HTTP/1.1\r\nhost: x\r\n\r\n');
  await advanceUntil(clock, () => lines.length > 0);
  expect(lines).toEqual(['disconnected a stalled client']);
});

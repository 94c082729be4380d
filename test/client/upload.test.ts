import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGengraph, type GengraphProblem, isRepeatable } from '../../src/client/gengraph.ts';
import { upload } from '../../src/client/upload.ts';
import { chatAbout, createFolder, startFilesApp, startMedia } from '../support/files.ts';
import { pngOf } from '../support/png.ts';
import { startS3 } from '../support/s3.ts';

function connect(url: string) {
  const gengraph = createGengraph({ url, credential: 'sk-sandbox' });
  onTestFinished(() => gengraph.dispose());
  return gengraph;
}

const picture = (type = 'image/png', bytes = pngOf('mine', 3000)) =>
  new File([new Uint8Array(bytes)], 'mine.png', { type });

/** An app, and a server in its place that answers uploads. */
async function startProxied(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const app = await startFilesApp();
  const { url: base, requests } = await startMedia(answer);
  const gengraph = connect(app.url);
  return { app, gengraph, base, requests };
}

test('a file of a page is an input, also a recording that names its codecs', async () => {
  const app = await startFilesApp();
  const gengraph = connect(app.url);
  const { value, problem } = await upload(gengraph, picture());
  expect(problem).toBeUndefined();
  expect((await chatAbout(app, value?.id ?? '')).message).toBeUndefined();
  const recorded = picture('video/mp4;codecs=avc1', Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41'));
  expect(await upload(gengraph, recorded)).toEqual({ value: { id: expect.stringMatching(/^upload_/) } });
});

test('what the server refuses is a problem with its advice', async () => {
  const limits = { MAX_FILE_BYTES: '5000', MAX_FILE_BYTES_PER_OWNER: '4000', FILES_WHEN_FULL: 'refuse' };
  const app = await startFilesApp({ env: limits });
  const gengraph = connect(app.url);
  const refusal = async (file: Blob) => (await upload(gengraph, file)).problem;
  expect(await refusal(picture('text/html'))).toMatchObject({
    code: 'INVALID_INPUT',
    retry: 'FIX_INPUT',
    issues: [{ path: ['input', 'contentType'] }],
  });
  expect(await refusal(picture('image/png', pngOf('big', 5001)))).toMatchObject({
    message: expect.stringContaining('Must be 1 to 5000.'),
  });
  expect(await refusal(picture('image/png', Buffer.from('<html>'.padEnd(3000))))).toEqual({
    code: 'BAD_REQUEST',
    message: 'The file is not of its declared type. Send a file of that type.',
    retry: 'FIX_INPUT',
    retryAfterSeconds: null,
  });
  expect(await refusal(picture())).toBeUndefined();
  expect(await refusal(picture('image/png', pngOf('more', 3000)))).toMatchObject({ retry: 'LATER' });
  const without = await startFilesApp({ env: { FILES: 'off' } });
  expect((await upload(connect(without.url), picture())).problem?.message).toContain('keeps no files');
});

test('an address that is no longer valid is a problem, and the next call has another one', async () => {
  const { gengraph, base, app } = await startProxied((request, response) => {
    // The signature is not valid any more.
    void fetch(new URL(`${request.url}x`, app.url), { method: 'PUT' }).then(async (reply) =>
      response.writeHead(reply.status).end(await reply.text()),
    );
  });
  const { problem } = await upload(gengraph, picture(), { base });
  expect(problem).toMatchObject({
    code: 'BAD_REQUEST',
    retry: 'SAFE',
    message: expect.stringContaining('There is no open upload'),
  });
  expect((await upload(gengraph, picture())).problem).toBeUndefined();
});

const expired = '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
const slow = '<Error><Code>RequestTimeout</Code><Message>It was too slow.</Message></Error>';

test.each<[number, string, Partial<GengraphProblem>]>([
  [
    403,
    expired,
    {
      code: 'BAD_REQUEST',
      retry: 'SAFE',
      message: 'The file was refused with status 403: Request has expired',
    },
  ],
  [400, slow, { code: 'BAD_REQUEST', retry: 'SAFE' }],
  [403, '<Error><Code>AccessDenied</Code></Error>', { code: 'BAD_REQUEST', retry: 'NEVER' }],
  [404, '<html>', { code: 'BAD_REQUEST', retry: 'NEVER', message: 'The file was refused with status 404.' }],
  [413, '<html>', { code: 'LIMIT_EXCEEDED', retry: 'FIX_INPUT' }],
  [415, '{"errors":[]}', { code: 'BAD_REQUEST', retry: 'FIX_INPUT' }],
  [429, 'null', { code: 'RATE_LIMITED', retry: 'LATER', retryAfterSeconds: 7 }],
  [503, '<Error>', { code: 'RECORDS_UNAVAILABLE', retry: 'LATER', retryAfterSeconds: 7 }],
])('an answer %i of a store or a proxy, %s, is a problem', async (status, body, expected) => {
  const { gengraph, base, requests } = await startProxied((_request, response) => {
    response.writeHead(status, status === 429 || status === 503 ? { 'retry-after': '7' } : {}).end(body);
  });
  const { problem } = await upload(gengraph, picture(), { base });
  expect(problem).toMatchObject({ retryAfterSeconds: null, ...expected });
  expect(requests).toEqual([expect.stringMatching(/^PUT \/files\/upload_[\w-]+\?e=/)]);
});

test('a lost answer is a problem, and the bytes are sent once, without a header of their own', async () => {
  const sent: (string | undefined)[] = [];
  const { gengraph, base, requests } = await startProxied((request, response) => {
    const { 'content-length': size, 'content-type': type, authorization } = request.headers;
    sent.push(size, type, authorization);
    request.on('end', () => response.destroy());
  });
  const { problem } = await upload(gengraph, picture(), { base: `${base}/below` });
  expect(problem).toMatchObject({ code: 'CONNECTION_FAILED', retry: 'SAFE' });
  expect(isRepeatable(problem)).toBe(true);
  expect(requests).toEqual([expect.stringContaining('PUT /below/files/upload_')]);
  expect(sent).toEqual(['3000', undefined, undefined]);
});

test('a file that was changed after it was chosen is to be chosen again', async () => {
  const app = await startFilesApp();
  const path = join(await createFolder(), 'mine.png');
  await writeFile(path, pngOf('mine', 3000));
  const file = await openAsBlob(path, { type: 'image/png' });
  await writeFile(path, pngOf('other', 2000));
  expect((await upload(connect(app.url), file)).problem).toMatchObject({
    code: 'INVALID_INPUT',
    retry: 'FIX_INPUT',
    message: expect.stringContaining('choose it again'),
  });
});

test('an abort ends the upload at each step', async () => {
  const canceled = {
    problem: { code: 'CONNECTION_FAILED', message: 'The upload was canceled.', retry: 'SAFE' },
  };
  const received = Promise.withResolvers<ServerResponse>();
  const { app, gengraph, base, requests } = await startProxied((_request, response) =>
    received.resolve(response),
  );
  expect(await upload(gengraph, picture(), { base, signal: AbortSignal.abort() })).toMatchObject(canceled);
  expect(gengraph.connection.current.status).toBe('idle');
  // No server is there.
  const { client } = connect('http://127.0.0.1:1/graphql');
  const stop = vi.fn<() => void>();
  const subscribe: typeof client.subscribe = (...operation) => {
    client.subscribe(...operation);
    return stop;
  };
  const first = new AbortController();
  const preparing = upload({ client: { ...client, subscribe } }, picture(), first);
  first.abort();
  expect(await preparing).toMatchObject(canceled);
  expect(stop).toHaveBeenCalledOnce();

  const second = new AbortController();
  const sending = upload(gengraph, picture(), { base, signal: second.signal });
  const closed = once(await received.promise, 'close');
  second.abort();
  expect(await sending).toMatchObject(canceled);
  await closed;
  expect(requests).toHaveLength(1);
  // One that is done is not affected.
  const third = new AbortController();
  const done = await upload(gengraph, picture(), third);
  third.abort();
  expect((await chatAbout(app, done.value?.id ?? '')).message).toBeUndefined();
});

test('the store itself takes a file at its own address', async () => {
  const s3 = await startS3();
  const app = await startFilesApp({ env: { ...s3.env, FILES_ADDRESSES: 'store' } });
  const { value, problem } = await upload(connect(app.url), picture(), { base: 'http://127.0.0.1:1/' });
  expect(problem).toBeUndefined();
  // s3rver answers before it has written everything.
  await expect.poll(async () => (await chatAbout(app, value?.id ?? '')).message).toBeUndefined();
});

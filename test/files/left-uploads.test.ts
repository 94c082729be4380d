import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { advanceUntil } from '../support/advance-until.ts';
import { createUpload, findAssets, settledAssets, startFilesApp, startMedia } from '../support/files.ts';
import { createInbox } from '../support/inbox.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { pngOf } from '../support/png.ts';

test('a client that leaves during its upload is no failure of the server, and may send the file again', async () => {
  const lines = createInbox<Readonly<Record<string, unknown>>>();
  const app = await startFilesApp({ onLog: (line) => lines.push(line) });
  const bytes = pngOf('left', 5000);
  const { url } = await createUpload(app, { contentType: 'image/png', sizeBytes: bytes.length });
  const leaving = request(url, { method: 'PUT', agent: false, headers: { 'content-length': bytes.length } });
  leaving.on('error', () => {});
  // The server answers at once that it has the request.
  leaving.setHeader('expect', '100-continue');
  leaving.flushHeaders();
  await once(leaving, 'continue');
  leaving.write(bytes.subarray(0, 1000));
  leaving.destroy();
  await lines.when((all) => all.some(({ msg }) => msg === 'request aborted by the client'));
  const send = async () => (await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })).status;
  await expect.poll(send).toBe(201);
  expect(lines.all.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

test('a large file of another type is refused, and the log says from where it came', async () => {
  const lines = createInbox<Readonly<Record<string, unknown>>>();
  const app = await startFilesApp({ onLog: (line) => lines.push(line) });
  const { url } = await createUpload(app, { contentType: 'image/png', sizeBytes: 5000 });
  const send = async (body: Uint8Array<ArrayBuffer>) => (await fetch(url, { method: 'PUT', body })).status;
  expect(await send(new Uint8Array(5000))).toBe(415);
  const isRefused = ({ status }: Readonly<Record<string, unknown>>): boolean => status === 415;
  await lines.when((all) => all.some(isRefused));
  expect(lines.all.find(isRefused)).toMatchObject({ method: 'PUT', address: '127.0.0.1' });
  expect(await send(new Uint8Array(pngOf('mended', 5000)))).toBe(201);
});

test('an upload that stops to arrive is ended, and its client may send the file again', async () => {
  const clientClock = createManualClock();
  const app = await startFilesApp({ overrides: { clientClock } });
  const bytes = pngOf('stopped', 5000);
  const { url } = await createUpload(app, { contentType: 'image/png', sizeBytes: bytes.length });
  const stopped = request(url, { method: 'PUT', agent: false, headers: { 'content-length': bytes.length } });
  let status: number | undefined;
  stopped.on('response', ({ statusCode }) => (status = statusCode));
  stopped.write(bytes.subarray(0, 1000));
  await advanceUntil(clientClock, () => status !== undefined);
  expect(status).toBe(408);
  expect((await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })).status).toBe(201);
  stopped.destroy();
});

test('a server that drains receives and serves files to their end', async () => {
  const drainClock = createManualClock();
  const bytes = pngOf('drained', 5_000_000);
  const media = await startMedia((_request, response) => response.end(bytes));
  const app = await startFilesApp({
    env: { FILES_ORIGINS: media.url, SHUTDOWN_SECONDS: '60' },
    overrides: { drainClock },
  });
  const [asset] = await settledAssets(app, await app.createImages([`${media.url}/a.png`]));
  const reading = await fetch(asset?.url ?? '');
  const { url } = await createUpload(app, { contentType: 'image/png', sizeBytes: bytes.length });
  const sending = request(url, { method: 'PUT', agent: false, headers: { 'content-length': bytes.length } });
  const answered = once(sending, 'response');
  sending.setHeader('expect', '100-continue');
  sending.flushHeaders();
  await once(sending, 'continue');
  sending.write(bytes.subarray(0, 1000));
  const idle = connect(Number(new URL(url).port), '127.0.0.1');
  idle.write('GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n');
  await once(idle, 'data');
  const closing = app.app.close();
  let isIdleClosed = false;
  idle.once('close', () => (isIdleClosed = true)).resume();
  await advanceUntil(drainClock, () => isIdleClosed, 100);
  // Nothing else is left.
  drainClock.advance(5000);
  expect(Buffer.from(await reading.arrayBuffer()).equals(bytes)).toBe(true);
  sending.end(bytes.subarray(1000));
  const [{ statusCode }] = await answered;
  expect(statusCode).toBe(201);
  await closing;
});

test('uploads of credentials that have made nothing remove few files of others', async () => {
  const media = await startMedia((incoming, response) => response.end(pngOf(incoming.url ?? '', 1000)));
  const limits = { MAX_FILE_BYTES: '1200', MAX_FILE_BYTES_IN_ALL: '2500' };
  const app = await startFilesApp({ env: { FILES_ORIGINS: media.url, ...limits } });
  const made: string[] = [];
  for (const name of ['1', '2']) {
    made.push(await app.createImages([`${media.url}/${name}`]));
    await settledAssets(app, made.at(-1) ?? '');
  }
  const upload = async (name: string, headers = {}) => {
    const body = new Uint8Array(pngOf(name, 1000));
    const { url } = await createUpload(app, { contentType: 'image/png', sizeBytes: body.length }, headers);
    return (await fetch(url, { method: 'PUT', body })).status;
  };
  // Any text could be a credential.
  const nobody = (name: string) => ({ authorization: `Bearer ${name}` });
  expect(await upload('3', nobody('a'))).toBe(201);
  expect(await upload('4', nobody('b'))).toBe(507);
  const states = await Promise.all(made.map((id) => findAssets(app, id)));
  expect(states.map(([asset]) => asset?.storage)).toEqual(['FAILED', 'STORED']);
  expect(await upload('5')).toBe(201);
});

test('credentials that have made nothing get addresses of the store for few bytes', async () => {
  const bucket = await startMedia((_request, response) => response.end());
  const app = await startFilesApp({
    env: {
      FILES: 's3',
      FILES_S3_ENDPOINT: bucket.url,
      FILES_S3_BUCKET: 'media',
      FILES_S3_ACCESS_KEY_ID: 'a',
      FILES_S3_SECRET_ACCESS_KEY: 's',
      FILES_ADDRESSES: 'store',
      MAX_FILE_BYTES: '5000',
      MAX_FILE_BYTES_IN_ALL: '20000',
    },
  });
  const declare = (name: string) =>
    createUpload(
      app,
      { contentType: 'image/png', sizeBytes: 3000 },
      name === '' ? {} : { authorization: `Bearer ${name}` },
    );
  expect((await declare('a')).url).toMatch(bucket.url);
  await expect(declare('b')).rejects.toThrow('Callers that have made nothing yet');
  await app.createImages([{ b64_json: pngOf('made').toString('base64') }]);
  expect((await declare('')).url).toMatch(bucket.url);
});

test('uploads that arrive at the same time have a limit of bytes, for each owner and for those who have made nothing', async () => {
  const limits = { FILES_COPIES: '4', MAX_FILE_BYTES: '2000' };
  const app = await startFilesApp({ env: limits });
  await app.createImages([{ b64_json: pngOf('made').toString('base64') }]);
  const put = async (headers: Readonly<Record<string, string>>, name: string) => {
    const bytes = pngOf(name, 1500);
    const { url } = await createUpload(app, { contentType: 'image/png', sizeBytes: bytes.length }, headers);
    const sending = request(url, {
      method: 'PUT',
      agent: false,
      headers: { 'content-length': bytes.length },
    });
    const status = once(sending, 'response').then(([{ statusCode }]) => Number(statusCode));
    sending.on('error', () => {});
    sending.setHeader('expect', '100-continue');
    sending.flushHeaders();
    await once(sending, 'continue');
    sending.write(bytes.subarray(0, 1000));
    return { status, end: () => sending.end(bytes.subarray(1000)) };
  };
  const nobody = (name: string) => ({ authorization: `Bearer ${name}` });
  const first = await put({}, '1');
  expect(await (await put({}, '2')).status).toBe(429);
  const others = [await put(nobody('a'), '3'), await put(nobody('b'), '4')];
  expect(await (await put(nobody('c'), '5')).status).toBe(429);
  for (const { end } of [first, ...others]) end();
  expect(await Promise.all([first, ...others].map(({ status }) => status))).toEqual([201, 201, 201]);
  const next = await put({}, '6');
  next.end();
  expect(await next.status).toBe(201);
});

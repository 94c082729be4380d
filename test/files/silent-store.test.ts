import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createS3Store } from '../../src/files/s3-store.ts';
import { createFolder, startFilesApp, startMedia } from '../support/files.ts';
import { pngOf } from '../support/png.ts';

const optionsFor = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  bucket: 'media',
  prefix: '',
  credentials: { accessKeyId: 'a', secretAccessKey: 's' },
});

test('a store that is silent fails, so that the file is copied again', async () => {
  let isSilent = true;
  const silent = await startMedia(({ method }, response) => {
    if (method === 'HEAD' && !isSilent) response.end();
  });
  const options = optionsFor(silent.url);
  const start = createS3Store({ ...options, startMs: 50 });
  await expect(start).rejects.toThrow('the store does not answer within 0.05 seconds');
  isSilent = false;
  const store = await createS3Store({ ...options, silenceMs: 50 });
  const warn = vi.spyOn(console, 'warn');
  onTestFinished(() => warn.mockRestore());
  const path = join(await createFolder(), 'file');
  await writeFile(path, 'content');
  await expect(store.put('file_1', path, { contentType: 'image/png', sizeBytes: 7 })).rejects.toThrow(
    'timed out',
  );
  expect(warn).not.toHaveBeenCalled();
  store.close();
}, 20_000);

test('a read or a deletion waits a short time for its reply, and longer for the bytes of a file', async () => {
  const bodies: ServerResponse[] = [];
  const slow = await startMedia(({ url = '' }, response) => {
    if (url.includes('silent')) return;
    if (!url.includes('slow')) response.end();
    else bodies.push(response.writeHead(200, { 'content-length': 4 }));
    response.flushHeaders();
  });
  const store = await createS3Store({ ...optionsFor(slow.url), answerMs: 500 });
  const [first, second] = [await store.open('slow_1'), await store.open('slow_2')];
  if (!first || !second) throw new Error('the store has both files');
  const late = 'the store does not answer within 0.5 seconds';
  // The limits of the two before have passed with these.
  await expect(store.open('silent')).rejects.toThrow(late);
  await expect(store.has('silent')).rejects.toThrow(late);
  await expect(store.delete('silent')).rejects.toThrow(late);
  bodies[0]?.end('body');
  expect(await text(first)).toBe('body');
  const cut = text(second);
  store.close();
  await expect(cut).rejects.toThrow('aborted');
}, 10_000);

test('a store that is silent does not delay the end of a server', async () => {
  const put = Promise.withResolvers<void>();
  const silent = await startMedia(({ method }, response) => {
    if (method === 'PUT') put.resolve();
    else response.end();
  });
  const app = await startFilesApp({
    env: {
      FILES: 's3',
      FILES_S3_ENDPOINT: silent.url,
      FILES_S3_BUCKET: 'media',
      FILES_S3_ACCESS_KEY_ID: 'a',
      FILES_S3_SECRET_ACCESS_KEY: 's',
    },
  });
  await app.createImages([{ b64_json: pngOf('silent').toString('base64') }]);
  await put.promise;
  await app.app.close();
  expect(silent.requests.filter((request) => request.startsWith('PUT'))).toHaveLength(1);
}, 10_000);

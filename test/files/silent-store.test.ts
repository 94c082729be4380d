import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createS3Store } from '../../src/files/s3-store.ts';
import { createFolder, startFilesApp, startMedia } from '../support/files.ts';
import { pngOf } from '../support/png.ts';

test('a store that is silent fails, so that the file is copied again', async () => {
  let isSilent = true;
  const silent = await startMedia(({ method }, response) => {
    if (method === 'HEAD' && !isSilent) response.end();
  });
  const options = {
    endpoint: silent.url,
    region: 'us-east-1',
    bucket: 'media',
    prefix: '',
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
  };
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
  await expect(store.open('file_1')).rejects.toThrow('timed out');
  expect(warn).not.toHaveBeenCalled();
  store.close();
}, 20_000);

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

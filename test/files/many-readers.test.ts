import { expect, test } from 'vitest';
import { settledAssets, startFilesApp, startMedia } from '../support/files.ts';
import { pngOf } from '../support/png.ts';

test('readers of an S3 store that do not end delay no others', async () => {
  const bytes = pngOf('film', 3000);
  const s3 = await startMedia(({ method, url = '' }, response) => {
    if (method !== 'GET') response.end();
    else if (url.includes('list-type')) response.end('<ListBucketResult></ListBucketResult>');
    // The rest is still to come.
    else response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, 1000));
  });
  const media = await startMedia((_request, response) => response.end(bytes));
  const app = await startFilesApp({
    env: {
      FILES: 's3',
      FILES_S3_ENDPOINT: s3.url,
      FILES_S3_BUCKET: 'media',
      FILES_S3_ACCESS_KEY_ID: 'a',
      FILES_S3_SECRET_ACCESS_KEY: 's',
      FILES_ORIGINS: media.url,
    },
  });
  const [asset] = await settledAssets(app, await app.createImages([`${media.url}/film.png`]));
  const readers = await Promise.all(Array.from({ length: 60 }, () => fetch(asset?.url ?? '')));
  expect(new Set(readers.map(({ status }) => status))).toEqual(new Set([200]));
  for (const { body } of readers) await body?.cancel();
});

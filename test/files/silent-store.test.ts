import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createS3Store } from '../../src/files/s3-store.ts';
import { createFolder, startMedia } from '../support/files.ts';

test('a store that is silent fails, so that the file is copied again', async () => {
  const silent = await startMedia(({ method }, response) => {
    if (method === 'HEAD') response.end();
  });
  const store = await createS3Store({
    endpoint: silent.url,
    region: 'us-east-1',
    bucket: 'media',
    prefix: '',
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    silenceMs: 50,
  });
  const path = join(await createFolder(), 'file');
  await writeFile(path, 'content');
  await expect(store.put('file_1', path, { contentType: 'image/png', sizeBytes: 7 })).rejects.toThrow(
    'timed out',
  );
  await expect(store.open('file_1')).rejects.toThrow('timed out');
  store.close();
}, 20_000);

import { expect, test } from 'vitest';
import { RecordsUnavailableError } from '../../src/errors.ts';
import type { Store } from '../../src/store/store.ts';
import { createUpload, settledAssets, startFilesApp, startMedia } from '../support/files.ts';
import { pngOf } from '../support/png.ts';

test('files are unavailable, and nothing may have been charged, while the records are away', async () => {
  let isAway = false;
  const check = (): void => {
    if (isAway) throw new RecordsUnavailableError('The record store is unavailable: test');
  };
  const wrapStore = (store: Store): Store => ({
    ...store,
    async openFiles() {
      const records = await store.openFiles();
      return {
        ...records,
        async findStored(id) {
          check();
          return records.findStored(id);
        },
        async claimUpload(id, now) {
          check();
          return records.claimUpload(id, now);
        },
      };
    },
  });
  const bytes = pngOf('away');
  const media = await startMedia((_request, response) => response.end(bytes));
  const app = await startFilesApp({ env: { FILES_ORIGINS: media.url }, overrides: { wrapStore } });
  const [asset] = await settledAssets(app, await app.createImages([`${media.url}/a.png`]));
  const upload = await createUpload(app, { contentType: 'image/png', sizeBytes: bytes.length });
  const read = () => fetch(asset?.url ?? '');
  const send = () => fetch(upload.url, { method: 'PUT', body: new Uint8Array(bytes) });
  isAway = true;
  for (const request of [read, send]) {
    const reply = await request();
    expect([reply.status, await reply.json()]).toMatchObject([
      503,
      { errors: [{ extensions: { code: 'RECORDS_UNAVAILABLE', retry: 'LATER', retryAfterSeconds: 5 } }] },
    ]);
  }
  isAway = false;
  expect([(await read()).status, (await send()).status]).toEqual([200, 201]);
});

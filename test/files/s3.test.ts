import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createManualClock } from '../support/manual-clock.ts';
import { createRecords, engines } from '../support/records.ts';
import { settledAssets, startFilesApp, startMedia } from '../support/files.ts';
import { pngOf } from '../support/png.ts';
import { startS3 } from '../support/s3.ts';

async function objectsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('_object'));
}

describe.each(engines)('%s', (engine) => {
  test.skipIf(engine === 'PostgreSQL' && process.env['FILES_RUNS'] !== 'all')(
    'an S3-compatible store keeps, serves and deletes files',
    async () => {
      const s3 = await startS3();
      const records = await createRecords(engine);
      const media = await startMedia((_request, response) => response.end(pngOf('s3', 300_000)));
      const clock = createManualClock(Date.now());
      const env = { ...records.env, ...s3.env, FILES_ORIGINS: media.url };
      const app = await startFilesApp({ env, overrides: { clock } });
      const id = await app.createImages([`${media.url}/1`, `${media.url}/2`]);
      const [asset, same] = await settledAssets(app, id);
      expect([asset?.stored, same?.stored]).toEqual(['STORED', 'STORED']);
      const objects = async () => {
        clock.advance(5000);
        return objectsIn(s3.folder);
      };
      // Two copies that ran at the same time have both written it.
      await expect.poll(objects).toEqual([expect.stringMatching(/^gengraph\/files\/file_/)]);
      expect(asset?.url?.startsWith(app.app.url)).toBe(true);
      const whole = await fetch(asset?.url ?? '');
      expect(Buffer.from(await whole.arrayBuffer()).equals(pngOf('s3', 300_000))).toBe(true);
      const part = await fetch(asset?.url ?? '', { headers: { range: 'bytes=299990-' } });
      expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10]);
      await app.app.close();

      const sharing = await startFilesApp({
        env: { ...env, FILES_ADDRESSES: 'store' },
        overrides: { clock },
      });
      const [presigned] = await settledAssets(sharing, id);
      expect(presigned?.url?.startsWith(s3.url)).toBe(true);
      const direct = await fetch(presigned?.url ?? '');
      expect([direct.status, direct.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect((await direct.arrayBuffer()).byteLength).toBe(300_000);

      await sharing.run('mutation ($ids: [ID!]!) { forgetGenerations(ids: $ids) { forgottenIds } }', {
        ids: [id],
      });
      await expect.poll(objects).toEqual([]);
      expect((await fetch(presigned?.url ?? '')).status).toBe(404);
    },
  );
});

test('a bucket that does not exist stops the start with one line', async () => {
  const s3 = await startS3();
  await expect(startFilesApp({ env: { ...s3.env, FILES_S3_BUCKET: 'other' } })).rejects.toThrow(
    /^Cannot keep files \(FILES=s3\): /,
  );
});

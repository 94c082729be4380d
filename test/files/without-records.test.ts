import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RecordsUnavailableError } from '../../src/errors.ts';
import {
  chatAbout,
  createFolder,
  createUpload,
  replaceFileRecords,
  settledAssets,
  startFilesApp,
  startMedia,
} from '../support/files.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { pngOf } from '../support/png.ts';

test('files are unavailable, and nothing may have been charged, while the records are away', async () => {
  let isAway = false;
  const check = (): void => {
    if (isAway) throw new RecordsUnavailableError('The record store is unavailable: test');
  };
  const wrapStore = replaceFileRecords((records) => ({
    async findStored(id) {
      check();
      return records.findStored(id);
    },
    async claimUpload(id, now) {
      check();
      return records.claimUpload(id, now);
    },
  }));
  const bytes = pngOf('away');
  const media = await startMedia((_request, response) => response.end(bytes));
  const app = await startFilesApp({ env: { FILES_ORIGINS: media.url }, overrides: { wrapStore } });
  const [asset] = await settledAssets(app, await app.createImages([`${media.url}/a.png`]));
  const upload = await createUpload(app, { contentType: 'image/png', sizeBytes: bytes.length });
  const read = () => fetch(asset?.url ?? '');
  const send = () => fetch(upload.url, { method: 'PUT', body: new Uint8Array(bytes) });
  isAway = true;
  for (const request of [read, send]) await expectUnavailable(await request());
  isAway = false;
  expect([(await read()).status, (await send()).status]).toEqual([200, 201]);
});

async function expectUnavailable(reply: Response): Promise<void> {
  expect([reply.status, await reply.json()]).toMatchObject([
    503,
    { errors: [{ extensions: { code: 'RECORDS_UNAVAILABLE', retry: 'LATER', retryAfterSeconds: 5 } }] },
  ]);
}

test('a store of files that fails is no defect: it is unavailable', async () => {
  const folder = await createFolder();
  const lines: unknown[] = [];
  const app = await startFilesApp({ env: { FILES_DIR: folder }, onLog: (line) => lines.push(line) });
  const bytes = pngOf('away', 5000);
  const id = await app.createImages([{ b64_json: bytes.toString('base64') }]);
  const [asset] = await settledAssets(app, id);
  const [, key = ''] = /\/files\/([\w-]+)/.exec(asset?.url ?? '') ?? [];
  const path = join(folder, 'objects', key.slice(-2), key);
  const upload = await createUpload(app, { contentType: 'image/png', sizeBytes: bytes.length });
  // A part of it is no reply that ends: its client would wait for the rest.
  await truncate(path, 1000);
  const read = await fetch(asset?.url ?? '');
  await expect(read.arrayBuffer()).rejects.toThrow('terminated');
  expect(lines).toContainEqual(
    expect.objectContaining({ key, msg: 'a stored file has another size than its record' }),
  );
  const query = 'query ($id: ID!) { generation(by: { id: $id }) { assets { base64 } } }';
  const away = [{ extensions: { code: 'RECORDS_UNAVAILABLE', retry: 'LATER' } }];
  // Nor are they the file for a field or for the gateway.
  expect((await app.run(query, { id })).errors).toMatchObject(away);
  await expect(chatAbout(app, `${id}.0`)).rejects.toThrow('Nothing was sent or charged');
  // It may also be in the folder of another server, or deleted by hand.
  await rm(path);
  const statuses = async () =>
    Promise.all(['GET', 'HEAD'].map(async (method) => (await fetch(asset?.url ?? '', { method })).status));
  expect(await statuses()).toEqual([404, 404]);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 50, key, msg: 'a stored file is not in the store' }),
  );
  // Whoever opens it gets ELOOP.
  await symlink(path, path);
  await expectUnavailable(await fetch(asset?.url ?? ''));
  expect(await statuses()).toEqual([503, 503]);
  expect((await app.run(query, { id })).errors).toMatchObject(away);
  // The socket stays open for its other operations.
  const { value } = await app.wsClient({ retryAttempts: 0 }).iterate({ query, variables: { id } }).next();
  expect(value?.errors).toMatchObject(away);
  // No file can be received.
  await rm(join(folder, 'incoming'), { recursive: true });
  await writeFile(join(folder, 'incoming'), '');
  await expectUnavailable(await fetch(upload.url, { method: 'PUT', body: new Uint8Array(bytes) }));
});

test('a store that does not delete has one line in the log, and another one when it works again', async () => {
  const folder = await createFolder();
  const lines: unknown[] = [];
  const clock = createManualClock(Date.now());
  const app = await startFilesApp({
    env: { FILES_DIR: folder },
    overrides: { clock },
    onLog: ({ msg }) => String(msg).startsWith('file maintenance') && lines.push(msg),
  });
  const id = await app.createImages([{ b64_json: pngOf('kept').toString('base64') }]);
  const [asset] = await settledAssets(app, id);
  const [, key = ''] = /\/files\/([\w-]+)/.exec(asset?.url ?? '') ?? [];
  const path = join(folder, 'objects', key.slice(-2), key);
  // A folder is not deleted as a file.
  await rm(path);
  await mkdir(path);
  await app.run('mutation ($ids: [ID!]!) { deleteGenerations(ids: $ids) { deletedIds } }', { ids: [id] });
  const rounds = () => {
    clock.advance(5000);
    return lines;
  };
  const failed = 'file maintenance failed: delete files; retrying';
  await expect.poll(rounds).toEqual([failed]);
  await rm(path, { recursive: true });
  await expect.poll(rounds).toEqual([failed, 'file maintenance works again']);
});

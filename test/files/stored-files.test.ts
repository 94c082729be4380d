import { readdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startApp } from '../support/app.ts';
import {
  createFolder,
  createImage,
  findAssets,
  followChanges,
  settledAssets,
  startFilesApp,
  startMedia,
} from '../support/files.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { pngOf } from '../support/png.ts';

test('the images of the sandbox remain when it has lost them', async () => {
  const app = await startApp({ env: { FILES: 'folder', FILES_DIR: await createFolder() } });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const id = await createImage(app);
  const [asset] = await settledAssets(app, id);
  expect(asset).toMatchObject({ id: `${id}.0`, storage: 'STORED', storageFailure: null, base64: null });
  expect(asset?.sourceUrl).toMatch(app.sandbox.url);
  const original = await fetch(asset?.sourceUrl ?? '');
  const bytes = Buffer.from(await original.arrayBuffer());
  await app.sandbox.close();
  const kept = await fetch(asset?.url ?? '');
  expect(kept.status).toBe(200);
  expect(Buffer.from(await kept.arrayBuffer()).equals(bytes)).toBe(true);
  expect(kept.headers.get('content-type')).toBe(asset?.contentType);
});

test('the preview of a cloned voice has no copy, and waits for none', async () => {
  const app = await startApp({ env: { FILES: 'folder', FILES_DIR: await createFolder() } });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const { data } = await app.run<{ cloneVoice: object }, object>(
    `mutation {
      cloneVoice(input: { fileId: 1, voiceId: "my-voice-1", previewText: "Hello.", previewModel: "speech-2.6-hd" }) {
        ... on ClonedVoice { preview { id url sourceUrl storage storageFailure } }
      }
    }`,
  );
  const url = expect.stringContaining(app.sandbox.url);
  expect(data?.cloneVoice).toEqual({
    preview: { id: null, url, sourceUrl: url, storage: 'OFF', storageFailure: null },
  });
});

test('a stored file is served with the headers of a file that no browser runs, whole and in ranges', async () => {
  const bytes = pngOf('seek', 5000);
  const media = await startMedia((_request, response) => response.end(bytes));
  const app = await startFilesApp({ env: { FILES_ORIGINS: media.url } });
  const [asset] = await settledAssets(app, await app.createImages([`${media.url}/a.png`]));
  const get = (headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    fetch(asset?.url ?? '', { method, headers });
  const whole = await get();
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'accept-ranges': 'bytes',
    'content-length': '5000',
    // A tab plays audio and video only with the last part, and with the origin of the address.
    'content-security-policy': "sandbox allow-same-origin; default-src 'none'; media-src 'self'",
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
  });
  expect(whole.headers.get('content-disposition')).toMatch(/^inline; filename="file_[\w-]+\.png"$/);
  expect(whole.headers.get('cache-control')).toMatch(/^private, max-age=\d+, immutable$/);
  for (const [range, status, expected] of [
    ['bytes=0-9', 206, bytes.subarray(0, 10)],
    ['bytes=4990-', 206, bytes.subarray(4990)],
    ['bytes=-10', 206, bytes.subarray(4990)],
    ['bytes=4990-9999', 206, bytes.subarray(4990)],
    ['bytes=5000-', 416, Buffer.alloc(0)],
    ['bytes=0-1,3-4', 200, bytes],
    ['lines=1-2', 200, bytes],
  ] as const) {
    const part = await get({ range });
    expect([range, part.status]).toEqual([range, status]);
    expect(Buffer.from(await part.arrayBuffer()).equals(expected)).toBe(true);
  }
  const head = await get({ range: 'bytes=0-9' }, 'HEAD');
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '5000', '']);
  const etag = whole.headers.get('etag') ?? '';
  for (const match of [etag, `"other", ${etag}`, '*'])
    expect((await get({ 'if-none-match': match })).status).toBe(304);
  for (const match of [etag, `"other", ${etag}`, '*'])
    expect((await get({ range: 'bytes=0-9', 'if-match': match })).status).toBe(206);
  // The comparison is the strong one.
  for (const match of ['"other"', `W/${etag}`])
    expect((await get({ 'if-match': match, 'if-none-match': etag })).status).toBe(412);
  expect((await get({ range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200);
  expect((await get({}, 'POST')).status).toBe(405);
});

test('an address that was changed, is of another file or has expired is unknown', async () => {
  const media = await startMedia((request, response) => response.end(pngOf(request.url ?? '')));
  const app = await startFilesApp({ env: { FILES_ORIGINS: media.url, FILES_ADDRESS_SECONDS: '1' } });
  const assets = await settledAssets(
    app,
    await app.createImages(['a', 'b'].map((name) => `${media.url}/${name}`)),
  );
  const [one, other] = assets.map(({ url }) => new URL(url ?? ''));
  if (!one || !other) throw new Error('there are two');
  const swapped = new URL(one);
  swapped.pathname = other.pathname;
  const later = new URL(one);
  later.searchParams.set('e', (Date.now() + 1_000_000).toString(36));
  const cut = new URL(one);
  cut.search = '';
  const more = `${one.href}&x=1`;
  for (const address of [swapped, later, cut, more]) expect((await fetch(address)).status).toBe(404);
  await expect.poll(async () => (await fetch(one)).status, { timeout: 5000 }).toBe(404);
});

test('the feed reports a file that could not be stored', async () => {
  const waiting = Promise.withResolvers<ServerResponse>();
  const media = await startMedia((_request, response) => waiting.resolve(response));
  const app = await startFilesApp({ env: { FILES_ORIGINS: media.url } });
  const id = await app.createImages([`${media.url}/gone`]);
  const response = await waiting.promise;
  const nextChange = await followChanges(app);
  response.writeHead(410).end();
  expect(await nextChange()).toBe(id);
  expect(await findAssets(app, id)).toMatchObject([{ storage: 'FAILED', storageFailure: 'NOT_FOUND' }]);
});

test('as many files are copied at the same time as FILES_COPIES says, also from one provider', async () => {
  const waiting: ServerResponse[] = [];
  const media = await startMedia((_request, response) => waiting.push(response));
  const app = await startFilesApp({ env: { FILES_ORIGINS: media.url, FILES_COPIES: '12' } });
  const urls = Array.from({ length: 14 }, (_image, index) => `${media.url}/${index}`);
  const id = await app.createImages(urls);
  await expect.poll(() => waiting.length).toBe(12);
  for (const response of waiting) response.end(pngOf('copied'));
  await expect.poll(() => waiting.length).toBe(14);
  for (const response of waiting.slice(12)) response.end(pngOf('copied'));
  const states = (await settledAssets(app, id)).map(({ storage }) => storage);
  expect(new Set(states)).toEqual(new Set(['STORED']));
});

test('a provider that hangs keeps one half of the copies from the files of others', async () => {
  const waiting: ServerResponse[] = [];
  const hanging = await startMedia((_request, response) => waiting.push(response));
  const other = await startMedia((_request, response) => response.end(pngOf('copied')));
  const clock = createManualClock(Date.now());
  const env = { FILES_ORIGINS: `${hanging.url},${other.url}`, FILES_COPIES: '2' };
  const app = await startFilesApp({ env, overrides: { clock } });
  await app.createImages(Array.from({ length: 20 }, (_image, index) => `${hanging.url}/${index}`));
  const id = await app.createImages([`${other.url}/1`]);
  for (let failed = 0; other.requests.length === 0; failed += 1) {
    await expect.poll(() => waiting.length + other.requests.length).toBeGreaterThan(failed + 1);
    clock.advance(2000);
    waiting[failed]?.destroy();
  }
  expect(waiting.length).toBeLessThan(10);
  expect(await settledAssets(app, id)).toMatchObject([{ storage: 'STORED' }]);
});

test('the metrics have the number and the age of the files that wait for their copy, and the attempts', async () => {
  const waiting: ServerResponse[] = [];
  const media = await startMedia((_request, response) => waiting.push(response));
  const clock = createManualClock(Date.now());
  const env = { FILES_ORIGINS: media.url, METRICS_ON_MAIN_PORT: 'true' };
  const app = await startFilesApp({ env, overrides: { clock } });
  const readPage = async () => (await fetch(new URL('/metrics', app.url))).text();
  const read = async (): Promise<readonly (readonly [string, number])[]> => {
    const page = await readPage();
    return [...page.matchAll(/^gengraph_file_(\w+) (\S+)$/gm)].map(([, name = '', value]) => [
      name,
      Number(value),
    ]);
  };
  expect(await read()).toEqual([
    ['pending', 0],
    ['oldest', 0],
  ]);
  const id = await app.createImages([`${media.url}/1`, `${media.url}/2`]);
  await expect.poll(() => waiting.length).toBe(2);
  clock.advance(3000);
  expect(await read()).toEqual([
    ['pending', 2],
    ['oldest', 3],
  ]);
  waiting[0]?.end(pngOf('copied'));
  waiting[1]?.writeHead(410).end();
  await settledAssets(app, id);
  expect(await read()).toEqual([
    ['pending', 0],
    ['oldest', 0],
  ]);
  const attempts = (await readPage()).match(/^gengraph_file_copies_total\S+ \d+$/gm);
  expect(attempts?.toSorted()).toEqual([
    'gengraph_file_copies_total{gengraph_file_outcome="given-up",error_type="NOT_FOUND"} 1',
    'gengraph_file_copies_total{gengraph_file_outcome="stored"} 1',
  ]);
});

test('the same content of an owner is stored once', async () => {
  const folder = await createFolder();
  const media = await startMedia((_request, response) => response.end(pngOf('same')));
  const app = await startFilesApp({ env: { FILES_ORIGINS: media.url, FILES_DIR: folder } });
  await settledAssets(app, await app.createImages([`${media.url}/1`]));
  const assets = await settledAssets(app, await app.createImages([`${media.url}/2`, `${media.url}/3`]));
  expect(assets.map(({ storage }) => storage)).toEqual(['STORED', 'STORED']);
  const names = await readdir(`${folder}/objects`, { recursive: true, withFileTypes: true });
  expect(names.filter((name) => name.isFile())).toHaveLength(1);
  for (const { url } of assets)
    expect(Buffer.from(await (await fetch(url ?? '')).arrayBuffer()).equals(pngOf('same'))).toBe(true);
});

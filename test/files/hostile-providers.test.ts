import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { dayMs } from '../../src/lib/time.ts';
import { createManualClock } from '../support/manual-clock.ts';
import {
  createFolder,
  findAssets,
  replaceFileRecords,
  settledAssets,
  startFilesApp,
  startMedia,
} from '../support/files.ts';
import { pngOf } from '../support/png.ts';

const png = pngOf('p', 2000);
const bomb = gzipSync(Buffer.concat([pngOf('b'), Buffer.alloc(50_000_000)]));

interface Case {
  readonly name: string;
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  readonly failure: string;
}

/** What no further attempt would change. */
const final: readonly Case[] = [
  {
    name: 'has expired',
    answer: (_request, response) => response.writeHead(410).end(),
    failure: 'NOT_FOUND',
  },
  {
    name: 'sends a page as an image',
    answer: (_request, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end('<html><script>1</script></html>'),
    failure: 'WRONG_TYPE',
  },
  {
    name: 'sends another kind of file than its address declares',
    answer: (_request, response) =>
      response.writeHead(200).end(Buffer.from('ID3\u0003\0\0\0\0\0\0'.padEnd(300))),
    failure: 'WRONG_TYPE',
  },
  {
    name: 'sends nothing',
    answer: (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(),
    failure: 'WRONG_TYPE',
  },
  {
    name: 'announces too many bytes',
    answer: (_request, response) => response.writeHead(200, { 'content-length': '2000000' }).write(png),
    failure: 'TOO_LARGE',
  },
  {
    name: 'sends too many bytes without announcing them',
    answer: (_request, response) =>
      response.writeHead(200).end(Buffer.concat([png, Buffer.alloc(1_500_000)])),
    failure: 'TOO_LARGE',
  },
  {
    name: 'sends a compressed file that expands beyond the limit',
    answer: (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    failure: 'TOO_LARGE',
  },
  {
    name: 'redirects to a private address',
    answer: (_request, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:1/secret.png' }).end(),
    failure: 'REFUSED_ADDRESS',
  },
  {
    name: 'redirects to another protocol',
    answer: (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    failure: 'REFUSED_ADDRESS',
  },
  {
    name: 'redirects in a circle',
    answer: (request, response) => response.writeHead(302, { location: request.url ?? '' }).end(),
    failure: 'REFUSED_ADDRESS',
  },
];

/** What a further attempt may change. */
const temporary: readonly Omit<Case, 'failure'>[] = [
  { name: 'hangs before its reply', answer: () => {} },
  { name: 'hangs in its reply', answer: (_request, response) => void response.writeHead(200).write(png) },
  { name: 'has an error', answer: (_request, response) => response.writeHead(503).end() },
  { name: 'does not have the file yet', answer: (_request, response) => response.writeHead(404).end() },
  {
    name: 'sends a page while it is away',
    answer: (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>Back soon</html>'),
  },
  { name: 'closes the connection', answer: (request) => request.socket.destroy() },
  {
    name: 'sends fewer bytes than announced',
    answer(_request, response) {
      response.writeHead(200, { 'content-length': '2000' }).write(png.subarray(0, 1000));
      setImmediate(() => response.socket?.destroy());
    },
  },
];

/** The case of a path such as `/3.png`. */
function caseOf<Known>(cases: readonly Known[], path = ''): Known | undefined {
  return cases[Number(/^\/(\d+)/.exec(path)?.[1])];
}

test('a provider that lies, is gone or redirects to a private address makes the copy fail, and nothing else', async () => {
  const media = await startMedia((request, response) =>
    caseOf(final, request.url)?.answer(request, response),
  );
  const app = await startFilesApp({ env: { FILES_ORIGINS: media.url, MAX_FILE_BYTES: '1000000' } });
  const urls = final.map((_case, index) => `${media.url}/${index}.png`);
  const assets = await settledAssets(app, await app.createImages(urls));
  expect(final.map(({ name }, index) => [name, assets[index]?.storageFailure])).toEqual(
    final.map(({ name, failure }) => [name, failure]),
  );
  expect(assets.map(({ url }) => url)).toEqual(urls);
  expect(assets.map(({ sourceUrl }) => sourceUrl)).toEqual(urls);
});

test('a provider with a private address is not asked', async () => {
  const media = await startMedia((_request, response) => response.end(png));
  const app = await startFilesApp();
  const [asset] = await settledAssets(app, await app.createImages([`${media.url}/a.png`]));
  expect(asset).toMatchObject({ storage: 'FAILED', storageFailure: 'REFUSED_ADDRESS' });
  expect(media.requests).toEqual([]);
});

test('a provider that hangs or fails is asked again later', async () => {
  let isWell = false;
  const media = await startMedia((request, response) =>
    isWell ? response.end(png) : caseOf(temporary, request.url)?.answer(request, response),
  );
  const clock = createManualClock(Date.now());
  let retries = 0;
  const app = await startFilesApp({
    env: { FILES_ORIGINS: media.url, FILES_TIMEOUT_SECONDS: '1' },
    overrides: { clock },
    onLog: ({ msg }) => (retries += String(msg).startsWith('could not copy a file') ? 1 : 0),
  });
  const urls = temporary.map((_case, index) => `${media.url}/${index}.png`);
  const id = await app.createImages(urls);
  const states = async () => new Set((await findAssets(app, id)).map(({ storage }) => storage));
  await expect.poll(() => retries, { timeout: 10_000 }).toBe(temporary.length);
  expect(await states()).toEqual(new Set(['PENDING']));
  isWell = true;
  const afterRound = async () => {
    clock.advance(5000);
    return states();
  };
  await expect.poll(afterRound, { timeout: 10_000 }).toEqual(new Set(['STORED']));
});

test('a file is copied although its provider failed while the clock was ahead', async () => {
  let isWell = false;
  const media = await startMedia((_request, response) => response.writeHead(isWell ? 200 : 503).end(png));
  const clock = createManualClock(Date.now());
  let retries = 0;
  const app = await startFilesApp({
    env: { FILES_ORIGINS: media.url },
    overrides: { clock },
    onLog({ msg }) {
      if (!String(msg).startsWith('could not copy a file')) return;
      retries += 1;
      // Both attempts fail. The second one is ahead, and so is the time of the third.
      clock.step(retries === 1 ? 3 * dayMs : -3 * dayMs);
      isWell = retries === 2;
    },
  });
  const id = await app.createImages([`${media.url}/a.png`]);
  const afterRound = async () => {
    clock.advance(5000);
    return (await findAssets(app, id))[0]?.storage;
  };
  await expect.poll(afterRound, { timeout: 5000 }).toBe('STORED');
});

test('what was received of a file no longer fills the disk when the records write that it failed', async () => {
  const folder = await createFolder();
  const left = Promise.withResolvers<readonly string[]>();
  const wrapStore = replaceFileRecords((records) => ({
    async postpone(...postponed) {
      left.resolve(await readdir(`${folder}/incoming`, { recursive: true }));
      await records.postpone(...postponed);
    },
  }));
  const media = await startMedia((_request, response) => {
    response.writeHead(200, { 'content-length': 600_000 });
    response.write(pngOf('part', 300_000), () => response.destroy());
  });
  const app = await startFilesApp({
    env: { FILES_DIR: folder, FILES_ORIGINS: media.url },
    overrides: { wrapStore },
  });
  await app.createImages([`${media.url}/1`]);
  expect(await left.promise).toEqual([expect.stringMatching(/^instance_[\w-]+$/)]);
});

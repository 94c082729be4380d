import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createManualClock } from '../support/manual-clock.ts';
import { createRecords, engines } from '../support/records.ts';
import { chatAbout, createUpload, settledAssets, startFilesApp, startMedia } from '../support/files.ts';
import { pngOf } from '../support/png.ts';
import { startS3 } from '../support/s3.ts';

async function objectsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('_object'));
}

describe.each(engines)('%s', (engine) => {
  test('an S3-compatible store keeps, serves and deletes files', async ({ skip }) => {
    skip(engine === 'PostgreSQL' && process.env['FILES_RUNS'] !== 'all', 'runs with FILES_RUNS=all');
    const s3 = await startS3();
    const records = await createRecords(engine);
    const media = await startMedia((_request, response) => response.end(pngOf('s3', 300_000)));
    const clock = createManualClock(Date.now());
    const env = { ...records.env, ...s3.env, FILES_ORIGINS: media.url };
    const app = await startFilesApp({ env, overrides: { clock } });
    const id = await app.createImages([`${media.url}/1`, `${media.url}/2`]);
    const [asset, same] = await settledAssets(app, id);
    expect([asset?.storage, same?.storage]).toEqual(['STORED', 'STORED']);
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

    await sharing.run('mutation ($ids: [ID!]!) { deleteGenerations(ids: $ids) { deletedIds } }', {
      ids: [id],
    });
    await expect.poll(objects).toEqual([]);
    expect((await fetch(presigned?.url ?? '')).status).toBe(404);
  });
});

test('uploads go to the store itself, and are checked before they are used', async () => {
  const s3 = await startS3();
  const clock = createManualClock(Date.now());
  const app = await startFilesApp({
    env: { ...s3.env, FILES_ADDRESSES: 'store', MAX_FILE_BYTES_PER_OWNER: '10000' },
    overrides: { clock },
  });
  const create = (sizeBytes: number) => createUpload(app, { contentType: 'image/png', sizeBytes });
  const use = async (id: string): Promise<string | undefined> => (await chatAbout(app, id)).message;
  const isStored = async (body: Buffer): Promise<boolean> => {
    const names = await objectsIn(s3.folder);
    const contents = await Promise.all(names.map((name) => readFile(join(s3.folder, name))));
    return contents.some((content) => content.equals(body));
  };
  const put = async (url: string, body: Buffer): Promise<number> => {
    const { status } = await fetch(url, { method: 'PUT', body: new Uint8Array(body) });
    // s3rver answers before it has written everything.
    await expect.poll(() => isStored(body)).toBe(true);
    return status;
  };
  const { id, url } = await create(3000);
  expect(url.startsWith(s3.url)).toBe(true);
  expect(await use(id)).toContain('has not been uploaded yet');
  // The size is signed, which this store does not check.
  expect(new URL(url).searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;host');
  expect(await put(url, pngOf('x', 3001))).toBe(200);
  expect(await use(id)).toContain('not the declared one');
  expect(await put(url, Buffer.from('<html>'.padEnd(3000)))).toBe(200);
  expect(await use(id)).toContain('not of its declared type');
  expect(await put(url, pngOf('mine', 3000))).toBe(200);
  expect(await use(id)).toBeUndefined();
  // What is written later is never read.
  expect(await put(url, Buffer.from('<html>'.padEnd(3000)))).toBe(200);
  expect(await use(id)).toBeUndefined();
  const unused = await create(5000);
  expect(await put(unused.url, pngOf('unused', 5000))).toBe(200);
  // The address of the used one can be written again, and what it then has is deleted with the upload.
  await expect(create(3000)).rejects.toThrow('and 10000 bytes in them');
  // It has room again when they have expired.
  const again = { input: { contentType: 'image/png', sizeBytes: 3000 } };
  expect(
    await app.run(
      'mutation ($input: CreateUploadInput!) { createUpload(input: $input) { __typename } }',
      again,
    ),
  ).toMatchObject({
    errors: [{ extensions: { code: 'RATE_LIMITED', retry: 'LATER', retryAfterSeconds: 600 } }],
  });
  await expect(create(10_001)).rejects.toThrow('Must be 1 to 10000.');
  const objects = async () => {
    clock.advance(5000);
    return objectsIn(s3.folder);
  };
  clock.advance(25 * 3_600_000);
  // The one that chats use.
  await expect.poll(objects).toHaveLength(1);
});

test.each(['one server', 'two servers'])(
  'creates of %s that use an upload at the same time wait for one check',
  async (set) => {
    const s3 = await startS3();
    const records = set === 'two servers' ? await createRecords('PostgreSQL') : undefined;
    const start = () => startFilesApp({ env: { ...s3.env, FILES_ADDRESSES: 'store', ...records?.env } });
    const app = await start();
    const other = records ? await start() : app;
    const { id, url } = await createUpload(app, { contentType: 'image/png', sizeBytes: 3000 });
    const body = new Uint8Array(pngOf('mine', 3000));
    expect((await fetch(url, { method: 'PUT', body })).status).toBe(200);
    const objects = async () =>
      (await readFile(join(s3.folder, `gengraph/files/${id}.new._S3rver_object`))).length;
    // s3rver answers before it has written everything.
    await expect.poll(objects).toBe(3000);
    const chats = await Promise.all([app, other, app, other].map((server) => chatAbout(server, id)));
    expect(chats.map(({ message }) => message)).toEqual([undefined, undefined, undefined, undefined]);
  },
);

test('the store is asked to encrypt what it keeps', async () => {
  const s3 = await startS3();
  const puts: (string | undefined)[][] = [];
  // Between the server and the store.
  const proxy = await startMedia((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const sent = ['x-amz-server-side-encryption', 'x-amz-server-side-encryption-aws-kms-key-id'];
    if (method === 'PUT') puts.push(sent.map((name) => headers[name]?.toString()));
    const outgoing = request(s3.url, { method, path, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(response);
    });
    incoming.pipe(outgoing);
  });
  const media = await startMedia((_request, response) => response.end(pngOf('secret')));
  const env = { ...s3.env, FILES_S3_ENDPOINT: proxy.url, FILES_ORIGINS: media.url };
  const kms = { FILES_S3_ENCRYPTION: 'aws:kms', FILES_S3_KMS_KEY_ID: 'key-1' };
  const app = await startFilesApp({ env: { ...env, ...kms } });
  const [asset] = await settledAssets(app, await app.createImages([`${media.url}/1`]));
  expect(asset?.storage).toBe('STORED');
  expect(puts).toEqual([['aws:kms', 'key-1']]);
});

test('a bucket that cannot be used stops the start with one line that says why', async () => {
  const s3 = await startS3();
  await expect(startFilesApp({ env: { ...s3.env, FILES_S3_BUCKET: 'other' } })).rejects.toThrow(
    /^Cannot keep files \(FILES=s3\): the store answers 404 for the bucket other: it does not exist$/,
  );
  const refusing = await startMedia((_request, response) => response.writeHead(403).end());
  await expect(
    startFilesApp({ env: { ...s3.env, FILES_S3_ENDPOINT: refusing.url, FILES_S3_BUCKET: 'media' } }),
  ).rejects.toThrow(/: the store answers 403 for the bucket media: the credentials are wrong, or lack /);
});

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { retryFiles } from '../../src/retry-files.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createRecords, type Engine, engines, type Records, sharedEngines } from '../support/records.ts';
import {
  createFolder,
  createUpload,
  type FilesApp,
  findAssets,
  followChanges,
  settledAssets,
  startFilesApp,
  startMedia,
} from '../support/files.ts';
import { pngOf } from '../support/png.ts';
import { startS3 } from '../support/s3.ts';

async function createDeployment(engine: Engine) {
  const records = await createRecords(engine);
  const folder = await createFolder();
  const media = await startMedia((request, response) => response.end(pngOf(request.url ?? '', 1000)));
  const env = { ...records.env, FILES_DIR: folder, FILES_ORIGINS: media.url };
  const start = (more: Readonly<Record<string, string>> = {}, overrides = {}): Promise<FilesApp> =>
    startFilesApp({ env: { ...env, ...more }, overrides });
  return { records, folder, media, env, start };
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name));
}

/** What the records know of files, by table. */
async function countRows({ query }: Records) {
  const tables = ['files', 'file_objects', 'file_deletions'] as const;
  const counts: Record<string, number> = {};
  for (const table of tables)
    counts[table] = Number((await query(`select count(*) as rows from ${table}`))[0]?.['rows']);
  const [sum] = await query("select bytes from file_sums where owner = ''");
  return { ...counts, bytes: Number(sum?.['bytes'] ?? 0) };
}

const forget = (app: FilesApp, ids: readonly string[]) =>
  app.run('mutation ($ids: [ID!]!) { deleteGenerations(ids: $ids) { deletedIds } }', { ids });

/** One test shows in every run that the statements work with PostgreSQL. `FILES_RUNS=all` runs the others on it too. */
const isSkipped = (engine: Engine): boolean => engine === 'PostgreSQL' && process.env['FILES_RUNS'] !== 'all';

describe.each(engines)('%s', (engine) => {
  test('files are deleted with the last generation of their owner that refers to them', async () => {
    const { records, folder, media, start } = await createDeployment(engine);
    const clock = createManualClock(Date.now());
    const app = await start({}, { clock });
    const shared = await app.createImages([`${media.url}/same`, `${media.url}/own`]);
    await settledAssets(app, shared);
    const other = await app.createImages([`${media.url}/same`]);
    const [kept] = await settledAssets(app, other);
    expect(await countRows(records)).toMatchObject({ files: 3, file_objects: 2, bytes: 2000 });
    const countFiles = async () => {
      clock.advance(5000);
      return (await filesIn(folder)).length;
    };
    await forget(app, [shared]);
    await expect.poll(countFiles).toBe(1);
    expect((await fetch(kept?.url ?? '')).status).toBe(200);
    await forget(app, [other]);
    await expect.poll(countFiles).toBe(0);
    await expect
      .poll(() => countRows(records))
      .toEqual({ files: 0, file_objects: 0, file_deletions: 0, bytes: 0 });
    expect((await fetch(kept?.url ?? '')).status).toBe(404);
  });

  test('files of forgotten generations are deleted at the next start, and with the age of their generation', async ({
    skip,
  }) => {
    skip(isSkipped(engine), 'runs with FILES_RUNS=all');
    const { records, folder, media, start } = await createDeployment(engine);
    const clock = createManualClock(Date.now());
    const app = await start({}, { clock });
    const ids = [await app.createImages([`${media.url}/1`]), await app.createImages([`${media.url}/2`])];
    for (const id of ids) await settledAssets(app, id);
    await forget(app, ids.slice(0, 1));
    await app.app.close();
    expect(await filesIn(folder)).toHaveLength(2);
    const later = createManualClock(Date.now() + 3_600_000);
    const next = await start({ GENERATION_DAYS: '1', IDEMPOTENCY_HOURS: '1' }, { clock: later });
    await expect.poll(() => filesIn(folder)).toHaveLength(1);
    later.advance(48 * 3_600_000);
    const countFiles = async () => {
      later.advance(60_000);
      return (await filesIn(folder)).length;
    };
    await expect.poll(countFiles).toBe(0);
    expect(await countRows(records)).toMatchObject({ files: 0, bytes: 0 });
    await next.app.close();
  });

  test('the oldest files make room, or new ones are refused', async ({ skip }) => {
    skip(isSkipped(engine), 'runs with FILES_RUNS=all');
    const { media, start } = await createDeployment(engine);
    const limits = { MAX_FILE_BYTES_PER_OWNER: '2500', MAX_FILE_BYTES: '2000' };
    const app = await start(limits);
    const ids: string[] = [];
    for (const name of ['1', '2', '3']) {
      ids.push(await app.createImages([`${media.url}/${name}`]));
      await settledAssets(app, ids.at(-1) ?? '');
    }
    const states = await Promise.all(ids.map((id) => findAssets(app, id)));
    expect(states.map(([asset]) => asset?.storageFailure)).toEqual(['REMOVED', null, null]);
    expect(states[0]?.[0]?.url).toBe(`${media.url}/1`);
    await app.app.close();
    const refusing = await start({ ...limits, FILES_WHEN_FULL: 'refuse' });
    const [refused] = await settledAssets(refusing, await refusing.createImages([`${media.url}/4`]));
    expect(refused).toMatchObject({ storage: 'FAILED', storageFailure: 'NO_ROOM' });
    // The same content needs no room.
    const [same] = await settledAssets(refusing, await refusing.createImages([`${media.url}/3`]));
    expect(same?.storage).toBe('STORED');
  });

  test('the feed reports the generation whose files made room', async ({ skip }) => {
    skip(isSkipped(engine), 'runs with FILES_RUNS=all');
    const { media, start } = await createDeployment(engine);
    const app = await start({ MAX_FILE_BYTES_PER_OWNER: '1500', MAX_FILE_BYTES: '1200' });
    const id = await app.createImages([`${media.url}/1`]);
    await settledAssets(app, id);
    const nextChange = await followChanges(app);
    await app.createImages([`${media.url}/2`]);
    while ((await nextChange()) !== id);
    expect(await findAssets(app, id)).toMatchObject([{ storage: 'FAILED', storageFailure: 'REMOVED' }]);
  });

  test('of all owners together, the oldest files make room, or new ones are refused', async ({ skip }) => {
    skip(isSkipped(engine), 'runs with FILES_RUNS=all');
    const { records, media, start } = await createDeployment(engine);
    const limits = { MAX_FILE_BYTES_IN_ALL: '2500', MAX_FILE_BYTES: '2000' };
    const app = await start(limits);
    const owners = ['ada', 'ben', 'cem'].map((name) => ({ 'x-end-user': name }));
    const made: { readonly id: string; readonly headers: (typeof owners)[number] }[] = [];
    for (const headers of owners) {
      // Equal files of several owners are stored for each of them.
      const id = await app.createImages([`${media.url}/same`], headers);
      await settledAssets(app, id, headers);
      made.push({ id, headers });
    }
    const states = await Promise.all(made.map(({ id, headers }) => findAssets(app, id, headers)));
    expect(states.map(([asset]) => asset?.storageFailure)).toEqual(['REMOVED', null, null]);
    expect(states[0]?.[0]?.url).toBe(`${media.url}/same`);
    expect(await countRows(records)).toMatchObject({ file_objects: 2, bytes: 2000 });
    await app.app.close();
    const refusing = await start({ ...limits, FILES_WHEN_FULL: 'refuse' });
    const [first] = owners;
    const id = await refusing.createImages([`${media.url}/same`], first);
    const [refused] = await settledAssets(refusing, id, first);
    expect(refused).toMatchObject({ storage: 'FAILED', storageFailure: 'NO_ROOM' });
    expect(await countRows(records)).toMatchObject({ file_objects: 2, bytes: 2000 });
  });

  test('the command retry-files lets a running server copy again what had no room', async ({ skip }) => {
    skip(isSkipped(engine), 'runs with FILES_RUNS=all');
    const { media, start, env } = await createDeployment(engine);
    const clock = createManualClock(Date.now());
    const limits = { MAX_FILE_BYTES_PER_OWNER: '1500', MAX_FILE_BYTES: '1200' };
    const app = await start({ ...limits, FILES_WHEN_FULL: 'refuse' }, { clock });
    const first = await app.createImages([`${media.url}/1`]);
    await settledAssets(app, first);
    const second = await app.createImages([`${media.url}/2`]);
    expect(await settledAssets(app, second)).toMatchObject([{ storageFailure: 'NO_ROOM' }]);
    await forget(app, [first]);
    const config = loadConfig({ ...env, FILES: 'folder' });
    expect(await retryFiles(config)).toBe('1 file is copied again');
    const retry = async () => {
      clock.advance(5000);
      const line = await retryFiles(config);
      const [asset] = await findAssets(app, second);
      return [line, asset?.storage];
    };
    // An attempt may be before the deletion of the other file.
    await expect.poll(retry).toEqual(['0 files are copied again', 'STORED']);
  });

  test('the start reports files that no record knows', async ({ skip }) => {
    skip(isSkipped(engine), 'runs with FILES_RUNS=all');
    const { folder, media, start, records } = await createDeployment(engine);
    const app = await start();
    await settledAssets(app, await app.createImages([`${media.url}/1`]));
    await app.app.close();
    for (const table of ['files', 'file_objects']) await records.query(`delete from ${table}`);
    const lines: unknown[] = [];
    await startFilesApp({
      env: { ...records.env, FILES_DIR: folder },
      onLog: (line) => lines.push(line),
    });
    await expect
      .poll(() => lines)
      .toContainEqual(expect.objectContaining({ orphans: 1, examples: [expect.stringMatching(/^file_/)] }));
    expect(await filesIn(folder)).toHaveLength(1);
  });
});

describe.each(sharedEngines)('%s', (engine) => {
  test.each(['folder', 's3'])(
    'each file is copied by one of two servers, and both serve it: %s',
    async (kind) => {
      const { media, start } = await createDeployment(engine);
      const env = kind === 's3' ? (await startS3()).env : {};
      const one = await start(env);
      const other = await start(env);
      const ids: string[] = [];
      for (let index = 0; index < 6; index += 1)
        ids.push(await (index % 2 === 0 ? one : other).createImages([`${media.url}/${index}`]));
      for (const id of ids) {
        const [asset] = await settledAssets(one, id);
        expect(asset?.storage).toBe('STORED');
        const [same] = await findAssets(other, id);
        expect((await fetch(same?.url ?? '')).status).toBe(200);
        const moved = (asset?.url ?? '').replace(new URL(one.url).host, new URL(other.url).host);
        expect((await fetch(moved)).status).toBe(200);
      }
      expect(media.requests.toSorted()).toEqual(ids.map((_id, index) => `GET /${index}`));
    },
  );
});

test.each(sharedEngines)('(%s) uploads to two servers at the same time all get room', async (engine) => {
  const { records, start } = await createDeployment(engine);
  const limits = { MAX_FILE_BYTES_PER_OWNER: '10000', FILES_WHEN_FULL: 'remove-oldest' };
  const servers = [await start(limits), await start(limits)];
  const uploads = await Promise.all(
    Array.from({ length: 5 }, () => servers)
      .flat()
      .map((server) => createUpload(server, { contentType: 'image/png', sizeBytes: 3000 })),
  );
  const statuses = await Promise.all(
    uploads.map(async ({ id, url }) => {
      const body = new Uint8Array(pngOf(id, 3000));
      return (await fetch(url, { method: 'PUT', body })).status;
    }),
  );
  expect(statuses).toEqual(uploads.map(() => 201));
  const { bytes } = await countRows(records);
  expect(bytes).toBeLessThanOrEqual(10_000);
});

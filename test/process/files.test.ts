import { execFile } from 'node:child_process';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startDurableServer } from '../support/durable-server.ts';
import { createFolder, createImage, findAssets, settledAssets, startMedia } from '../support/files.ts';
import { pngOf } from '../support/png.ts';
import { createRandom } from '../support/random.ts';
import { createRecords, engines } from '../support/records.ts';
import { sendJson } from '../support/fake-gateway.ts';

const kills = Number(process.env['KILLS'] ?? 1);

/** A gateway and its media: each image is a file of its own. `onRequest` may hold a file back. */
async function startProvider(
  answer: (path: string, send: (from?: number, to?: number) => void) => void = (_path, send) => send(),
) {
  let made = 0;
  const provider = await startMedia((request, response) => {
    const { url = '' } = request;
    if (request.method === 'POST') {
      made += 1;
      const data = [{ url: `${provider.url}/${made}` }];
      sendJson(response, { data });
      return;
    }
    const bytes = pngOf(url, 200_000);
    answer(url, (from, to) => {
      response.write(bytes.subarray(from, to));
      if (to === undefined) response.end();
    });
  });
  return provider;
}

describe.each(engines)('%s', (engine) => {
  test('a server that is killed while it copies loses no file, and leaves nothing behind', async () => {
    const random = createRandom(7);
    const records = await createRecords(engine);
    const folder = await createFolder();
    let held: ((from?: number, to?: number) => void) | undefined;
    let isHolding = true;
    const half = Promise.withResolvers<void>();
    const provider = await startProvider((_path, send) => {
      if (!isHolding) return send();
      held = send;
      send(0, 100_000);
      half.resolve();
    });
    const env = { ...records.env, FILES: 'folder', FILES_DIR: folder };
    const start = () => startDurableServer({ gatewayUrl: provider.url, env });
    let server = await start();
    const ids = [await createImage(server)];
    await half.promise;
    expect(held).toBeDefined();
    isHolding = false;
    for (let killed = 0; killed < kills; killed += 1) {
      if (killed > 0) {
        for (let more = 0; more < 5; more += 1) ids.push(await createImage(server));
        await new Promise((resolve) => setTimeout(resolve, random() * 100));
      }
      await server.crash();
      await records.expireLeases();
      server = await start();
    }
    for (const id of ids) {
      const [asset] = await settledAssets(server, id);
      expect(asset?.storage).toBe('STORED');
      expect((await (await fetch(asset?.url ?? '')).arrayBuffer()).byteLength).toBe(200_000);
    }
    await expect
      .poll(async () => (await records.query('select count(*) as n from file_deletions'))[0]?.['n'], {
        timeout: 10_000,
      })
      .toSatisfy((rows) => Number(rows) === 0);
    const stored = await readdir(`${folder}/objects`, { recursive: true, withFileTypes: true });
    expect(stored.filter((entry) => entry.isFile())).toHaveLength(ids.length);
    const received = await readdir(`${folder}/incoming`, { recursive: true, withFileTypes: true });
    expect(received.filter((entry) => entry.isFile())).toEqual([]);
    expect(received).toHaveLength(1);
  }, 60_000);
});

test('a full disk delays copies until it has room, and nothing else', async ({ skip }) => {
  const folder = await createFolder();
  const run = promisify(execFile);
  const mounting = run('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]);
  const isMounted = await mounting.then(
    () => true,
    () => false,
  );
  skip(!isMounted, 'no small disk: it needs root on Linux');
  onTestFinished(async () => void (await run('umount', ['--lazy', folder])));
  const provider = await startProvider();
  const server = await startDurableServer({
    gatewayUrl: provider.url,
    env: { FILES: 'folder', FILES_DIR: folder, LOG_LEVEL: 'info' },
  });
  const [stored] = await settledAssets(server, await createImage(server));
  expect(stored?.storage).toBe('STORED');

  const filler = join(folder, 'filler');
  await expect(writeFile(filler, Buffer.alloc(3_000_000))).rejects.toThrow('ENOSPC');
  const id = await createImage(server);
  await server.program.waitForOutput(/ENOSPC.*could not copy a file; retrying/);
  expect(await findAssets(server, id)).toMatchObject([{ storage: 'PENDING', url: `${provider.url}/2` }]);
  expect((await (await fetch(stored?.url ?? '')).arrayBuffer()).byteLength).toBe(200_000);

  await rm(filler);
  const [asset] = await settledAssets(server, id);
  expect(asset?.storage).toBe('STORED');
  expect((await (await fetch(asset?.url ?? '')).arrayBuffer()).byteLength).toBe(200_000);
  expect(await readdir(join(folder, 'incoming'))).toHaveLength(1);
}, 60_000);

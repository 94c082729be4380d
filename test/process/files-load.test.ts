import { readdir, readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startDurableServer } from '../support/durable-server.ts';
import { createFolder, createImage, pngOf, startMedia } from '../support/files.ts';
import { createRecords } from '../support/records.ts';

/** Long, and they measure the machine: `FILES_RUNS=all`. */
const isShort = process.env['FILES_RUNS'] !== 'all';

/** A gateway whose images are files of their own. */
async function startProvider(images: number, sizeBytes: number) {
  let made = 0;
  const filler = Buffer.alloc(sizeBytes);
  const provider = await startMedia((request, response) => {
    if (request.method !== 'POST') {
      const head = pngOf(request.url ?? '');
      response.write(head);
      response.end(filler.subarray(head.length));
      return;
    }
    const data = Array.from({ length: images }, () => ({ url: `${provider.url}/${(made += 1)}` }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
  });
  return provider;
}

async function countFiles(folder: string): Promise<number> {
  const found = await readdir(`${folder}/objects`, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isFile()).length;
}

async function residentBytes(pid: number): Promise<number> {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

const seconds = 30;
const perSecond = 17;

/** A thousand generations a minute of one owner, with a file of 1 MB each, while another owner reads. */
async function measure(env: Readonly<Record<string, string>>) {
  const provider = await startProvider(1, 1_000_000);
  const records = await createRecords('SQLite');
  const server = await startDurableServer({ gatewayUrl: provider.url, env: { ...records.env, ...env } });
  const end = performance.now() + seconds * 1000;
  const latencies: number[] = [];
  const memory: number[] = [];
  const made: Promise<string>[] = [];
  const create = async (): Promise<void> => {
    while (performance.now() < end) {
      made.push(createImage(server));
      await setTimeout(1000 / perSecond);
    }
  };
  const read = async (): Promise<void> => {
    while (performance.now() < end) {
      const startedAt = performance.now();
      await server.run(
        '{ generations(first: 1) { edges { node { id } } } }',
        {},
        {
          headers: { authorization: 'Bearer sk-other' },
        },
      );
      latencies.push(performance.now() - startedAt);
      await setTimeout(10);
    }
  };
  const watch = async (): Promise<void> => {
    while (performance.now() < end) {
      memory.push(await residentBytes(server.program.pid));
      await setTimeout(500);
    }
  };
  await Promise.all([create(), read(), watch()]);
  await Promise.all(made);
  const half = memory.length / 2;
  return {
    made: made.length,
    p99: quantile(latencies, 0.99),
    growthBytes: Math.max(...memory.slice(half)) - Math.max(...memory.slice(2, half)),
  };
}

describe.skipIf(isShort)('files under load', () => {
  test('a thousand files of 1 MB a minute leave memory flat, and other owners wait at most twice as long', async () => {
    const folder = await createFolder();
    const off = await measure({});
    const on = await measure({ FILES: 'folder', FILES_DIR: folder });
    const figures = JSON.stringify({ off, on });
    await expect.poll(() => countFiles(folder), { timeout: 30_000 }).toBe(on.made);
    expect(on.growthBytes, figures).toBeLessThan(50_000_000);
    expect(on.p99, figures).toBeLessThan(2 * Math.max(off.p99, 5));
  }, 180_000);

  test('ten thousand files are forgotten', async () => {
    const folder = await createFolder();
    const provider = await startProvider(100, 200);
    const records = await createRecords('SQLite');
    const env = { ...records.env, FILES: 'folder', FILES_DIR: folder, FILES_COPIES: '50' };
    const server = await startDurableServer({ gatewayUrl: provider.url, env });
    const ids: string[] = [];
    for (let index = 0; index < 100; index += 1) ids.push(await createImage(server));
    await expect.poll(() => countFiles(folder), { timeout: 120_000 }).toBe(10_000);
    await server.run('mutation ($ids: [ID!]!) { forgetGenerations(ids: $ids) { forgottenIds } }', { ids });
    await expect.poll(() => countFiles(folder), { timeout: 60_000 }).toBe(0);
    const [row] = await records.query('select count(*) as n from file_deletions');
    expect(Number(row?.['n'])).toBe(0);
  }, 240_000);
});

import { readdir, readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Calls, type Child, startChild } from '../bench/child-process.ts';
import type { FileLoadCalls } from '../bench/processes/file-load.ts';
import type { FileProviderCalls } from '../bench/processes/file-provider.ts';
import { median } from '../bench/statistics.ts';
import { startDurableServer } from '../support/durable-server.ts';
import { createFolder, createImage } from '../support/files.ts';
import { createRecords } from '../support/records.ts';

/** Long, and they measure the machine: `FILES_RUNS=all`. */
const isShort = process.env['FILES_RUNS'] !== 'all';

async function countFiles(folder: string): Promise<number> {
  const found = await readdir(`${folder}/objects`, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isFile()).length;
}

async function residentBytes(pid: number): Promise<number> {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

const seconds = 25;
const perSecond = 17;

interface Round {
  /** Of another owner's reads, in milliseconds. */
  readonly p99: number;
  /** The median of resident memory: the highest depends on when garbage is collected. */
  readonly bytes: number;
}

/** A server, with its clients and its gateway in processes of their own. */
async function startUnderLoad(env: Readonly<Record<string, string>>) {
  const [provider, maker, reader] = await Promise.all([
    keep(startChild<FileProviderCalls>('file-provider')),
    keep(startChild<FileLoadCalls>('file-load')),
    keep(startChild<FileLoadCalls>('file-load')),
  ]);
  const records = await createRecords('SQLite');
  const gatewayUrl = await provider.call('url');
  const { program, url } = await startDurableServer({ gatewayUrl, env: { ...records.env, ...env } });
  let made = 0;
  return {
    made: () => made,
    /** A thousand generations a minute of one owner, with a file of 1 MB each, while another owner reads. */
    async run(): Promise<Round> {
      const bytes: number[] = [];
      const watch = setInterval(() => void residentBytes(program.pid).then((now) => bytes.push(now)), 200);
      const [count, { p99 }] = await Promise.all([
        maker.call('makeImages', { url, seconds, perSecond }),
        reader.call('readLists', { url, seconds }),
      ]);
      clearInterval(watch);
      made += count;
      return { p99, bytes: median(bytes) };
    },
  };
}

async function keep<C extends Calls>(starting: Promise<Child<C>>): Promise<Child<C>> {
  const child = await starting;
  onTestFinished(() => child.kill());
  return child;
}

describe('files under load', () => {
  beforeEach(({ skip }) => skip(isShort, 'measures the machine: it runs with FILES_RUNS=all'));

  test('a thousand files of 1 MB a minute leave memory flat, and other owners wait at most twice as long', async () => {
    const folder = await createFolder();
    const off = await startUnderLoad({});
    const on = await startUnderLoad({ FILES: 'folder', FILES_DIR: folder });
    // The heap and the caches get their size.
    for (const server of [off, on]) await server.run();
    const rounds: { readonly off: Round; readonly on: Round }[] = [];
    // Interleaved, because other work on the machine comes and goes.
    for (let round = 0; round < 3; round += 1) rounds.push({ off: await off.run(), on: await on.run() });
    const figures = JSON.stringify(rounds);
    process.stdout.write(`${figures}\n`);
    await expect.poll(() => countFiles(folder), { timeout: 30_000 }).toBe(on.made());
    const [first, , last] = rounds;
    expect((last?.on.bytes ?? 0) - (first?.on.bytes ?? 0), figures).toBeLessThan(30_000_000);
    const ratios = rounds.map((round) => round.on.p99 / round.off.p99).toSorted((a, b) => a - b);
    expect(ratios[1], figures).toBeLessThan(2);
  }, 400_000);

  test('ten thousand files are forgotten', async () => {
    const folder = await createFolder();
    const provider = await keep(
      startChild<FileProviderCalls>('file-provider', { arguments: ['100', '200'] }),
    );
    const records = await createRecords('SQLite');
    const env = { ...records.env, FILES: 'folder', FILES_DIR: folder, FILES_COPIES: '50' };
    const server = await startDurableServer({ gatewayUrl: await provider.call('url'), env });
    const ids: string[] = [];
    for (let index = 0; index < 100; index += 1) ids.push(await createImage(server));
    await expect.poll(() => countFiles(folder), { timeout: 120_000 }).toBe(10_000);
    await server.run('mutation ($ids: [ID!]!) { deleteGenerations(ids: $ids) { deletedIds } }', { ids });
    await expect.poll(() => countFiles(folder), { timeout: 60_000 }).toBe(0);
    const [row] = await records.query('select count(*) as n from file_deletions');
    expect(Number(row?.['n'])).toBe(0);
  }, 240_000);
});

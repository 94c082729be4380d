import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildSlowDisk,
  type DiskCounts,
  readDiskCounts,
  slowDiskEnv,
} from '../../support/slow-disk/slow-disk.ts';
import { type Bench, type Figure, interleave, type Row, type ServerUnderTest } from '../harness.ts';
import { median, spreadOfPairs } from '../statistics.ts';
import { assertReceived, openStreams, warmUpOpenings } from '../streams.ts';

/** What records in a file cost users when a sync takes 5 ms, and how much is written to them. */
export const slowDisk: Figure = { name: 'slow-disk', run };

const chatCount = 100;
const createsPerSecond = 100;
const syncMs = 5;

async function run(bench: Bench): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'gengraph-bench-'));
  try {
    const library = buildSlowDisk(directory);
    if (library !== undefined) return await measureRows(bench, { directory, library });
    console.error('slow-disk: skipped, because its library cannot be built here (Linux, gcc)');
    return [];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface DiskServer {
  readonly server: ServerUnderTest;
  readonly counts: () => DiskCounts;
}

interface Result {
  readonly tokenP50: number;
  readonly tokenP99: number;
  readonly createP50: number;
  readonly createP99: number;
  readonly bytes: number;
  readonly writes: number;
}

async function measureRows(
  bench: Bench,
  { directory, library }: { readonly directory: string; readonly library: string },
): Promise<readonly Row[]> {
  const start = async (subject: 'gengraph' | 'before', delayMs: number): Promise<DiskServer> => {
    const name = `${subject}-${delayMs}`;
    const data = join(directory, name);
    const counts = join(directory, `${name}.counts`);
    const env = slowDiskEnv(library, { directory: data, counts, syncMs: delayMs });
    const server = await bench.start(subject, { dataDirectory: data, env });
    await warmUpOpenings(bench, server);
    return { server, counts: () => readDiskCounts(counts) };
  };
  const startPair = async (subject: 'gengraph' | 'before') => ({
    slow: await start(subject, syncMs),
    plain: await start(subject, 0),
  });
  const own = await startPair('gengraph');
  const before = bench.beforeDirectory === undefined ? undefined : await startPair('before');
  const roundOf =
    ({ slow, plain }: typeof own) =>
    async (): Promise<Result> => ({
      ...(await measureDelays(bench, slow.server)),
      ...(await measureBytes(bench, plain)),
    });
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 3 : 6,
    maxMs: bench.isQuick ? 15_000 : 60_000,
    work: { gengraph: roundOf(own), before: before && roundOf(before) },
  });
  const rowOf = (
    work: string,
    name: keyof Result,
    { unit, ...targets }: Pick<Row, 'unit'> & { readonly must?: number; readonly aim?: number },
  ): Row => {
    const [values, beforeValues] = [samples.gengraph, samples.before].map((all) =>
      all.map((each) => each[name]),
    );
    const value = median(values ?? []);
    const { must, aim } = targets;
    return {
      work,
      unit,
      gengraph: value,
      before: before && {
        value: median(beforeValues ?? []),
        change: spreadOfPairs(values ?? [], beforeValues ?? []),
      },
      goal: must === undefined ? undefined : { value, must, aim, measure: 'value' },
      rounds,
    };
  };
  const work = `token beside ${createsPerSecond} creates/s, ${syncMs} ms per sync`;
  return [
    rowOf(`${work}, delay p50`, 'tokenP50', { unit: 'ms' }),
    rowOf('… delay p99', 'tokenP99', { unit: 'ms', must: 6, aim: 5 }),
    rowOf('… create p50', 'createP50', { unit: 'ms', must: 15, aim: 10 }),
    rowOf('… create p99', 'createP99', { unit: 'ms' }),
    rowOf(`written per chat of 150 tokens, ${chatCount} opened together`, 'bytes', {
      unit: 'KB',
      must: 30,
      aim: 10,
    }),
    rowOf('… number of writes', 'writes', { unit: 'writes', must: 10, aim: 5 }),
  ];
}

const pace = { writesPerStream: 150, tokensPerWrite: 1, intervalMs: 20 };
const createCount = (createsPerSecond * pace.writesPerStream * pace.intervalMs) / 1000;
let lastRound = 0;

/** Tokens of 100 chats while other chats are created. */
async function measureDelays(
  bench: Bench,
  server: ServerUnderTest,
): Promise<Pick<Result, 'tokenP50' | 'tokenP99' | 'createP50' | 'createP99'>> {
  const streams = await openStreams(bench, server, chatCount);
  const group = `creates-${(lastRound += 1)}`;
  const [received, created] = await Promise.all([
    streams.send(pace),
    bench.load.call('paceChats', { group, url: server.url, count: createCount, perSecond: createsPerSecond }),
  ]);
  assertReceived(server, received, chatCount * pace.writesPerStream);
  await bench.upstream.call('endStreams', group);
  await streams.end();
  const { p50, p99 } = received.latencyMicros;
  return { tokenP50: p50 / 1000, tokenP99: p99 / 1000, createP50: created.p50, createP99: created.p99 };
}

async function measureBytes(
  bench: Bench,
  { server, counts }: DiskServer,
): Promise<Pick<Result, 'bytes' | 'writes'>> {
  const before = counts();
  const streams = await openStreams(bench, server, chatCount);
  assertReceived(server, await streams.send(pace), chatCount * pace.writesPerStream);
  await streams.end();
  const after = counts();
  return {
    bytes: (after.bytes - before.bytes) / 1024 / chatCount,
    writes: (after.writes - before.writes) / chatCount,
  };
}

import { spawn } from 'node:child_process';
import { type Database, startDatabase } from '../database.ts';
import { endWithBench } from '../end-with-bench.ts';
import { type Bench, type Figure, interleave, type Row } from '../harness.ts';
import { median, spreadOfPairs } from '../statistics.ts';
import {
  assertReceived,
  openStreams,
  openWatchedStreams,
  type StreamTarget,
  type Streams,
} from '../streams.ts';

/**
 * Two processes on one port, against one: tokens per second when 10,000 are due, and the delay of watchers that reach any process.
 * Nothing is pinned: server, clients, upstream and PostgreSQL share the machine.
 */
export const processes: Figure = { name: 'processes', run };

const streamCount = 200;
const intervalMs = 20;

async function run(bench: Bench): Promise<readonly Row[]> {
  if (process.platform !== 'linux') {
    console.error('processes: skipped, because it reads the processes of PostgreSQL from /proc');
    return [];
  }
  const database = await startDatabase();
  const sites: Site[] = [];
  try {
    for (const count of [1, 2]) sites.push(await startSite(bench, database, count));
    const [one, two] = sites;
    return one && two
      ? await measureRows(
          {
            ...bench,
            processIds: () => [
              ...bench.processIds(),
              ...database.processIds(),
              ...sites.flatMap(({ ids }) => ids),
            ],
          },
          one,
          two,
        )
      : [];
  } finally {
    for (const site of sites) await site.stop();
    await database.stop();
  }
}

interface Site extends StreamTarget {
  readonly ids: readonly number[];
  stop(): Promise<void>;
}

/** The program as users start it. */
async function startSite(bench: Bench, database: Database, count: number): Promise<Site> {
  const options = ['--max-semi-space-size=8', 'src/start.js', '--processes', String(count)];
  const child = spawn(process.execPath, options, {
    env: {
      ...process.env,
      PORT: '0',
      LOG_LEVEL: 'fatal',
      DATABASE_URL: database.url,
      GATEWAY_URL: await bench.upstream.call('url'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { pid = 0 } = child;
  const forget = endWithBench(pid);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void exited.then(forget);
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const [, found] = /API\s+(http:\S+)/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    void exited.then(() => reject(new Error(`the server ended:\n${output}`)));
  });
  return {
    subject: 'gengraph',
    url,
    ids: [pid],
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

interface Sample {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

async function measureRows(bench: Bench, one: Site, two: Site): Promise<readonly Row[]> {
  const here = (site: Site) => async () =>
    measureRound(bench, site, await openStreams(bench, site, streamCount));
  const anywhere = (site: Site) => async () =>
    measureRound(bench, site, await openWatchedStreams(bench, { producer: site, reader: site }, streamCount));
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 3 : 6,
    maxMs: bench.isQuick ? 10_000 : 60_000,
    work: { one: here(one), two: here(two), oneAny: anywhere(one), twoAny: anywhere(two) },
  });
  const rowOf = (
    work: string,
    unit: Row['unit'],
    [floor, gengraph]: readonly [readonly number[], readonly number[]],
  ): Row => ({
    work,
    unit,
    floor: median(floor),
    gengraph: median(gengraph),
    ratio: spreadOfPairs(gengraph, floor),
    rounds,
  });
  const pairOf = (name: keyof Sample, isAny: boolean) => {
    const [floor, gengraph] = isAny ? [samples.oneAny, samples.twoAny] : [samples.one, samples.two];
    return [floor.map((each) => each[name]), gengraph.map((each) => each[name])] as const;
  };
  const load = `${streamCount} streams × ${1000 / intervalMs}/s`;
  return [
    rowOf(`2 processes, ${load}, watched where they run`, 'tokens/s', pairOf('perSecond', false)),
    rowOf('… delay p99', 'ms', pairOf('p99', false)),
    rowOf(`2 processes, ${load}, watched on any process`, 'tokens/s', pairOf('perSecond', true)),
    rowOf('… delay p50', 'ms', pairOf('p50', true)),
    rowOf('… delay p99', 'ms', pairOf('p99', true)),
  ];
}

async function measureRound(bench: Bench, site: Site, streams: Streams): Promise<Sample> {
  const writesPerStream = bench.isQuick ? 50 : 150;
  const received = await streams.send({ writesPerStream, tokensPerWrite: 1, intervalMs });
  assertReceived(site, received, streamCount * writesPerStream);
  await streams.end();
  const { p50, p99 } = received.latencyMicros;
  const seconds = (received.lastMicros - received.startedMicros) / 1e6;
  return { perSecond: received.tokens / seconds, p50: p50 / 1000, p99: p99 / 1000 };
}

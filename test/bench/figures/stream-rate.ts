import { compareValues } from '../compare-values.ts';
import { type Bench, type Figure, interleave, type Row, type ServerUnderTest } from '../harness.ts';
import { forEachServer, type Servers, startServers } from '../servers.ts';
import { median } from '../statistics.ts';
import { assertReceived, openStreams, type Streams, warmUpOpenings } from '../streams.ts';
import { monotonicMicros } from '../workload.ts';

const intervalMs = 20;

interface Load {
  readonly work: string;
  readonly streamCount: number;
  /** Whether each round opens and ends its streams, as users do. Otherwise they stay open across rounds. */
  readonly hasOpenings: boolean;
  readonly rate: { readonly must: number; readonly aim: number };
  readonly delayMs?: { readonly must: number };
}

const loads: readonly Load[] = [
  {
    work: '400 streams × 50/s that stay open',
    streamCount: 400,
    hasOpenings: false,
    rate: { must: 16_000, aim: 18_500 },
    delayMs: { must: 2 },
  },
  {
    work: '400 streams × 50/s, opened in the round',
    streamCount: 400,
    hasOpenings: true,
    rate: { must: 18_500, aim: 19_300 },
  },
  {
    work: '800 streams × 50/s that stay open',
    streamCount: 800,
    hasOpenings: false,
    rate: { must: 24_000, aim: 30_000 },
  },
];

/** Tokens per second that one process delivers when 20,000 or 40,000 are due, and their delay. Wall clock: compare only within a run. */
export const streamRate: Figure = { name: 'stream-rate', run };

interface RateSample {
  readonly perSecond: number;
  /** Rate at which the upstream wrote. */
  readonly offeredPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly tokensPerMessage: number;
}

async function run(bench: Bench): Promise<readonly Row[]> {
  const servers = await startServers(bench);
  await forEachServer(servers, (server) => warmUpOpenings(bench, server));
  const rows: Row[] = [];
  for (const load of loads) rows.push(...(await measureLoad(bench, servers, load)));
  return rows;
}

async function measureLoad(bench: Bench, servers: Servers, load: Load): Promise<readonly Row[]> {
  const writesPerStream = bench.isQuick ? 50 : 150;
  const opened: Streams[] = [];
  const open = (server: ServerUnderTest) => openStreams(bench, server, load.streamCount);
  const work = await forEachServer(servers, async (server) => {
    if (load.hasOpenings)
      return async () => {
        const startedMicros = monotonicMicros();
        const streams = await open(server);
        const sample = await runRound(server, streams, { ...load, writesPerStream, startedMicros });
        await streams.end();
        return sample;
      };
    const streams = await open(server);
    opened.push(streams);
    return () => runRound(server, streams, { ...load, writesPerStream });
  });
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 3 : 6,
    maxMs: bench.isQuick ? 8000 : 45_000,
    work,
  });
  for (const streams of opened) await streams.end();
  const row = (pick: (sample: RateSample) => number) => ({
    ...compareValues({
      floor: samples.floor.map(pick),
      before: samples.before.map(pick),
      gengraph: samples.gengraph.map(pick),
      plain: samples.plain.map(pick),
    }),
    rounds,
  });
  const rate = row(({ perSecond }) => perSecond);
  const delay = row(({ p50Ms }) => p50Ms);
  const offered = median(samples.gengraph.map(({ offeredPerSecond }) => offeredPerSecond));
  const perMessage = median(samples.gengraph.map(({ tokensPerMessage }) => tokensPerMessage));
  return [
    {
      ...rate,
      work: load.work,
      unit: 'tokens/s',
      goal: { ...load.rate, value: rate.gengraph, measure: 'rate' },
      note: `none lost; upstream wrote ${offered.toFixed(0)} tokens/s; ${perMessage.toFixed(1)} tokens per message`,
    },
    {
      ...delay,
      work: '… delay p50',
      unit: 'ms',
      goal: load.delayMs && { ...load.delayMs, value: delay.gengraph, measure: 'value' },
    },
    { ...row(({ p99Ms }) => p99Ms), work: '… delay p99', unit: 'ms' },
  ];
}

interface RoundOptions extends Pick<Load, 'streamCount'> {
  readonly writesPerStream: number;
  /** When the opening began, if it counts. @default the first write */
  readonly startedMicros?: number;
}

async function runRound(
  server: ServerUnderTest,
  streams: Streams,
  { streamCount, writesPerStream, startedMicros }: RoundOptions,
): Promise<RateSample> {
  const received = await streams.send({ writesPerStream, tokensPerWrite: 1, intervalMs });
  assertReceived(server, received, streamCount * writesPerStream);
  const perSecond = (endMicros: number, beginMicros = received.startedMicros): number =>
    received.tokens / ((endMicros - beginMicros) / 1e6);
  return {
    perSecond: perSecond(received.lastMicros, startedMicros),
    offeredPerSecond: perSecond(received.endedMicros),
    p50Ms: received.latencyMicros.p50 / 1000,
    p99Ms: received.latencyMicros.p99 / 1000,
    tokensPerMessage: received.tokens / received.messages,
  };
}

import { compareValues } from '../compare-values.ts';
import { type Bench, type Figure, interleave, type Row, type ServerUnderTest } from '../harness.ts';
import { forEachServer, startServers } from '../servers.ts';
import { median } from '../statistics.ts';
import { assertReceived, openStreams, type Streams } from '../streams.ts';

const streamCount = 400;
const intervalMs = 20;
const goals = { rate: { must: 16_000, aim: 18_500 }, delayMs: { must: 2 } };

/** Tokens per second that one process delivers when 20,000 are due, and their delay. Wall clock: compare only within a run. */
export const streamRate: Figure = { name: 'stream-rate', run };

interface RateSample {
  readonly perSecond: number;
  /** Rate at which the upstream wrote. */
  readonly offeredPerSecond: number;
  readonly p50Ms: number;
  readonly tokensPerMessage: number;
}

async function run(bench: Bench): Promise<readonly Row[]> {
  const servers = await startServers(bench);
  const writesPerStream = bench.isQuick ? 50 : 150;
  const opened: Streams[] = [];
  const work = await forEachServer(servers, async (server) => {
    const streams = await openStreams(bench, server, streamCount);
    opened.push(streams);
    return () => runRound(server, streams, writesPerStream);
  });
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 3 : 6,
    maxMs: bench.isQuick ? 8000 : 60_000,
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
      work: `${streamCount} streams × ${1000 / intervalMs}/s`,
      unit: 'tokens/s',
      goal: { ...goals.rate, value: rate.gengraph, measure: 'rate' },
      note: `none lost; upstream wrote ${offered.toFixed(0)} tokens/s; ${perMessage.toFixed(1)} tokens per message`,
    },
    {
      ...delay,
      work: '… delay p50',
      unit: 'ms',
      goal: { ...goals.delayMs, value: delay.gengraph, measure: 'value' },
    },
  ];
}

async function runRound(
  server: ServerUnderTest,
  streams: Streams,
  writesPerStream: number,
): Promise<RateSample> {
  const received = await streams.send({ writesPerStream, tokensPerWrite: 1, intervalMs });
  assertReceived(server, received, streamCount * writesPerStream);
  const perSecond = (endMicros: number): number =>
    received.tokens / ((endMicros - received.startedMicros) / 1e6);
  return {
    perSecond: perSecond(received.lastMicros),
    offeredPerSecond: perSecond(received.endedMicros),
    p50Ms: received.latencyMicros.p50 / 1000,
    tokensPerMessage: received.tokens / received.messages,
  };
}

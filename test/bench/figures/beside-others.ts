import { compareValues } from '../compare-values.ts';
import { type Bench, type Figure, interleave, type Row, type ServerUnderTest } from '../harness.ts';
import type { Child } from '../child-process.ts';
import type { LoadCalls } from '../processes/load.ts';
import { forEachServer, type Servers, startServers } from '../servers.ts';
import { median, spreadOfPairs } from '../statistics.ts';
import { assertReceived, openStreams, warmUpOpenings } from '../streams.ts';

/**
 * What other work on the same server does to a user: a query beside 400 chats, and chats beside large prompts. Wall clock. The
 * queries and the prompts come from a process of their own, so that no client waits for the work of another.
 */
export const besideOthers: Figure = { name: 'beside-others', isPinned: false, run };

const pace = { tokensPerWrite: 1, intervalMs: 20 };
const queriesPerSecond = 100;
const promptMegabytes = 8;

interface Delays {
  readonly p50: number;
  readonly p99: number;
}

async function run(bench: Bench): Promise<readonly Row[]> {
  const others = await bench.startLoad();
  const servers = await startServers(bench);
  await forEachServer(servers, (server) => warmUpOpenings(bench, server));
  return [
    ...(await compareQueries(bench, others, servers)),
    ...(await compareTokens(bench, others, servers)),
  ];
}

async function compareQueries(
  bench: Bench,
  others: Child<LoadCalls>,
  servers: Servers,
): Promise<readonly Row[]> {
  const work = await forEachServer(servers, (server) => () => measureQueries(bench, others, server));
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 3 : 6,
    maxMs: bench.isQuick ? 25_000 : 90_000,
    work,
  });
  const row = (pick: (delays: Delays) => number) =>
    compareValues({
      floor: samples.floor.map(pick),
      before: samples.before.map(pick),
      gengraph: samples.gengraph.map(pick),
      plain: samples.plain.map(pick),
    });
  const [typical, high] = [row(({ p50 }) => p50), row(({ p99 }) => p99)];
  return [
    {
      ...typical,
      work: 'query beside 400 streams × 50/s, p50',
      unit: 'ms',
      goal: { must: 1, aim: 0.5, value: typical.gengraph, measure: 'value' },
      rounds,
    },
    {
      ...high,
      work: '… p99',
      unit: 'ms',
      goal: { must: 8, aim: 4, value: high.gengraph, measure: 'value' },
      rounds,
    },
  ];
}

async function compareTokens(
  bench: Bench,
  others: Child<LoadCalls>,
  { gengraph, before }: Servers,
): Promise<readonly Row[]> {
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 3 : 6,
    maxMs: bench.isQuick ? 15_000 : 60_000,
    work: {
      gengraph: () => measureTokens(bench, others, gengraph),
      before: before && (() => measureTokens(bench, others, before)),
    },
  });
  const row = (pick: (delays: Delays) => number) => {
    const values = samples.gengraph.map(pick);
    const earlier = samples.before.map(pick);
    return {
      gengraph: median(values),
      before:
        earlier.length === 0 ? undefined : { value: median(earlier), change: spreadOfPairs(values, earlier) },
    };
  };
  const high = row(({ p99 }) => p99);
  return [
    {
      ...row(({ p50 }) => p50),
      work: `token of 100 streams × 50/s beside a prompt of ${promptMegabytes} MB each second, p50`,
      unit: 'ms',
      rounds,
    },
    {
      ...high,
      work: '… p99',
      unit: 'ms',
      goal: { must: 10, aim: 5, value: high.gengraph, measure: 'value' },
      rounds,
    },
  ];
}

let lastRound = 0;

async function measureQueries(
  bench: Bench,
  others: Child<LoadCalls>,
  server: ServerUnderTest,
): Promise<Delays> {
  const streamCount = 400;
  const writesPerStream = bench.isQuick ? 50 : 150;
  const streams = await openStreams(bench, server, streamCount);
  const count = (queriesPerSecond * writesPerStream * pace.intervalMs) / 1000;
  const [received, delays] = await Promise.all([
    streams.send({ ...pace, writesPerStream }),
    others.call('paceQueries', { url: server.url, count, perSecond: queriesPerSecond }),
  ]);
  assertReceived(server, received, streamCount * writesPerStream);
  await streams.end();
  return delays;
}

async function measureTokens(
  bench: Bench,
  others: Child<LoadCalls>,
  server: ServerUnderTest,
): Promise<Delays> {
  const streamCount = 100;
  const writesPerStream = 200;
  const streams = await openStreams(bench, server, streamCount);
  const group = `prompts-${(lastRound += 1)}`;
  const count = (writesPerStream * pace.intervalMs) / 1000;
  await others.call('prepareImagePrompts', { group, count, megabytes: promptMegabytes });
  const [received] = await Promise.all([
    streams.send({ ...pace, writesPerStream }),
    others.call('paceImagePrompts', server.url),
  ]);
  assertReceived(server, received, streamCount * writesPerStream);
  await streams.end();
  const { p50, p99 } = received.latencyMicros;
  return { p50: p50 / 1000, p99: p99 / 1000 };
}

import {
  type Bench,
  type Figure,
  interleave,
  type Row,
  type ServerUnderTest,
  startBefore,
} from '../harness.ts';
import { median, spreadOfPairs } from '../statistics.ts';
import { assertReceived, openStreams } from '../streams.ts';

/** What other work on the same server does to a user: a query beside 400 chats, and chats beside large prompts. Wall clock. */
export const besideOthers: Figure = { name: 'beside-others', run };

const pace = { tokensPerWrite: 1, intervalMs: 20 };
const queriesPerSecond = 100;
const promptMegabytes = 8;

interface Delays {
  readonly p50: number;
  readonly p99: number;
}

interface Result {
  readonly query: Delays;
  readonly token: Delays;
}

async function run(bench: Bench): Promise<readonly Row[]> {
  const own = await bench.start('gengraph');
  const before = await startBefore(bench);
  const roundOf = (server: ServerUnderTest) => async (): Promise<Result> => ({
    query: await measureQueries(bench, server),
    token: await measureTokens(bench, server),
  });
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 3 : 6,
    maxMs: bench.isQuick ? 15_000 : 60_000,
    work: { gengraph: roundOf(own), before: before && roundOf(before) },
  });
  const rowOf = (
    work: string,
    pick: (result: Result) => number,
    targets?: { readonly must: number; readonly aim: number },
  ): Row => {
    const values = samples.gengraph.map(pick);
    const value = median(values);
    const earlier = samples.before.map(pick);
    return {
      work,
      unit: 'ms',
      gengraph: value,
      before: before && { value: median(earlier), change: spreadOfPairs(values, earlier) },
      goal: targets && { ...targets, value, measure: 'value' },
      rounds,
    };
  };
  return [
    rowOf('query beside 400 streams × 50/s, p50', ({ query }) => query.p50, { must: 1, aim: 0.5 }),
    rowOf('… p99', ({ query }) => query.p99, { must: 8, aim: 4 }),
    rowOf(
      `token of 100 streams × 50/s beside a prompt of ${promptMegabytes} MB each second, p50`,
      ({ token }) => token.p50,
    ),
    rowOf('… p99', ({ token }) => token.p99, { must: 10, aim: 5 }),
  ];
}

let lastRound = 0;

async function measureQueries(bench: Bench, server: ServerUnderTest): Promise<Delays> {
  const streamCount = 400;
  const writesPerStream = bench.isQuick ? 50 : 150;
  const streams = await openStreams(bench, server, streamCount);
  const count = (queriesPerSecond * writesPerStream * pace.intervalMs) / 1000;
  const [received, delays] = await Promise.all([
    streams.send({ ...pace, writesPerStream }),
    bench.load.call('paceQueries', { url: server.url, count, perSecond: queriesPerSecond }),
  ]);
  assertReceived(server, received, streamCount * writesPerStream);
  await streams.end();
  return delays;
}

async function measureTokens(bench: Bench, server: ServerUnderTest): Promise<Delays> {
  const streamCount = 100;
  const writesPerStream = 200;
  const streams = await openStreams(bench, server, streamCount);
  const group = `prompts-${(lastRound += 1)}`;
  const [received] = await Promise.all([
    streams.send({ ...pace, writesPerStream }),
    bench.load.call('paceImagePrompts', {
      group,
      url: server.url,
      count: (writesPerStream * pace.intervalMs) / 1000,
      megabytes: promptMegabytes,
    }),
  ]);
  assertReceived(server, received, streamCount * writesPerStream);
  await streams.end();
  const { p50, p99 } = received.latencyMicros;
  return { p50: p50 / 1000, p99: p99 / 1000 };
}

import {
  assertCount,
  type Bench,
  type Figure,
  interleave,
  measure,
  type Row,
  type Sample,
  type ServerUnderTest,
} from '../harness.ts';
import { compareCosts, startServers } from '../servers.ts';

const concurrency = 16;
/**
 * More callers than entries in the page cache (1000), in turn: each query misses the cache and causes an upstream read, as at
 * the floor. The reads are counted.
 */
const manyCallers = 2500;
const goals = { uncached: { must: 4.5, aim: 2.5 }, cached: { must: 2.5, aim: 1.5 } };

/** Processor time of a query for 20 voices × 5 fields over HTTP POST with a credential. */
export const queries: Figure = { name: 'queries', run };

async function run(bench: Bench): Promise<readonly Row[]> {
  const servers = await startServers(bench);
  const count = bench.isQuick ? 300 : 1000;
  const turns = {
    // Cheap queries: more of them make the rounds long enough to measure.
    floor: { server: servers.floor, count: 4 * count, callers: manyCallers },
    before: servers.before && { server: servers.before, count, callers: manyCallers },
    gengraph: { server: servers.gengraph, count, callers: manyCallers },
    plain: { server: servers.plain, count, callers: manyCallers },
    // All from one caller, whose page is cached.
    cachedBefore: servers.before && { server: servers.before, count, callers: 1 },
    cached: { server: servers.gengraph, count, callers: 1 },
  };
  // Enough to optimize the hot functions, to fill the page cache, and to look up the unfinished tasks of each caller once.
  for (const turn of Object.values(turns))
    if (turn) await warmUp(bench, turn, Math.max(turn.count * 5, turn.callers));
  const { before, cachedBefore } = turns;
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 4 : 12,
    maxMs: bench.isQuick ? 5000 : 35_000,
    work: {
      floor: () => runRound(bench, turns.floor),
      before: before && (() => runRound(bench, before)),
      gengraph: () => runRound(bench, turns.gengraph),
      plain: () => runRound(bench, turns.plain),
      cachedBefore: cachedBefore && (() => runRound(bench, cachedBefore)),
      cached: () => runRound(bench, turns.cached),
    },
  });
  const uncached = compareCosts(samples);
  const cached = compareCosts({
    floor: samples.floor,
    before: samples.cachedBefore,
    gengraph: samples.cached,
  });
  return [
    {
      ...uncached,
      work: 'query, 20 voices × 5 fields',
      goal: { ...goals.uncached, value: uncached.ratio.median, measure: 'ratio' },
      rounds,
    },
    {
      ...cached,
      work: '… its page from the cache',
      goal: { ...goals.cached, value: cached.ratio.median, measure: 'ratio' },
      rounds,
      note: 'no upstream read, compared with a floor that reads',
    },
  ];
}

interface Turn {
  readonly server: ServerUnderTest;
  readonly count: number;
  readonly callers: number;
}

async function warmUp({ load }: Bench, { server: { url }, callers }: Turn, count: number): Promise<void> {
  await load.call('runQueries', { url, count, callers, concurrency });
}

async function runRound({ upstream, load }: Bench, { server, count, callers }: Turn): Promise<Sample> {
  const ask = (queries: number) =>
    load.call('runQueries', { url: server.url, count: queries, callers, concurrency });
  // Warms up the processor caches after the turns of other subjects.
  await ask(Math.round(count / 10));
  const readsBefore = await upstream.call('voiceReads');
  const sample = await measure(server, async () => (await ask(count)).answered);
  const reads = (await upstream.call('voiceReads')) - readsBefore;
  assertCount(`queries answered by ${server.subject}`, sample.units, count);
  if (callers > 1) assertCount(`upstream reads of ${server.subject}`, reads, count);
  // A page is cached for 30 seconds. Concurrent misses share one read.
  else if (reads > 1) throw new Error(`upstream reads of a cached page: ${reads}`);
  return sample;
}

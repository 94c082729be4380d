import {
  assertCount,
  type Bench,
  compareWithBefore,
  type Figure,
  interleave,
  measure,
  microsPerUnit,
  ratioOf,
  startBefore,
} from '../harness.ts';
import type { Row, Sample, ServerUnderTest } from '../harness.ts';

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
  const servers = {
    floor: await bench.start('floor'),
    before: await startBefore(bench),
    gengraph: await bench.start('gengraph'),
    plain: await bench.start('plain-yoga'),
  };
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
  // Enough to optimize the hot functions and to fill the page cache.
  for (const turn of Object.values(turns)) if (turn) await warmUp(bench, turn, turn.count * 5);
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
  const ratio = ratioOf(samples.gengraph, samples.floor);
  const cachedRatio = ratioOf(samples.cached, samples.floor);
  const base = { unit: 'µs' as const, floor: microsPerUnit(samples.floor), rounds };
  return [
    {
      ...base,
      work: 'query, 20 voices × 5 fields',
      gengraph: microsPerUnit(samples.gengraph),
      plainYoga: microsPerUnit(samples.plain),
      ratio,
      plainRatio: ratioOf(samples.plain, samples.floor),
      before: compareWithBefore(samples.before, samples.gengraph, samples.floor),
      goal: { ...goals.uncached, value: ratio.median, measure: 'ratio' },
    },
    {
      ...base,
      work: '… its page from the cache',
      gengraph: microsPerUnit(samples.cached),
      ratio: cachedRatio,
      before: compareWithBefore(samples.cachedBefore, samples.cached, samples.floor),
      goal: { ...goals.cached, value: cachedRatio.median, measure: 'ratio' },
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

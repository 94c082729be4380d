import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Bench,
  type Figure,
  interleave,
  measure,
  type Rounds,
  type Row,
  type Sample,
  type ServerUnderTest,
  startBefore,
} from '../harness.ts';
import { type Compared as ComparedSamples, compareCosts, forEachServer, startServers } from '../servers.ts';
import { median, spreadOfPairs } from '../statistics.ts';
import { openStreams, warmUpOpenings } from '../streams.ts';

const streamCount = 100;

/** Processor time of a chat stream without tokens: one socket, the subscription, the end, and the close. And how many a second. */
export const openings: Figure = { name: 'openings', run };

interface OpeningSample extends Sample {
  readonly elapsedMs: number;
}

async function run(bench: Bench): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'gengraph-bench-'));
  try {
    return await measureRows(bench, directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measureRows(bench: Bench, directory: string): Promise<readonly Row[]> {
  const servers = await startServers(bench);
  const file = await bench.start('gengraph', { dataDirectory: join(directory, 'own') });
  const fileBefore = await startBefore(bench, { dataDirectory: join(directory, 'before') });
  const roundOf = (server: ServerUnderTest) => async (): Promise<OpeningSample> => {
    const startedAt = performance.now();
    const sample = await measure(server, async () => {
      const streams = await openStreams(bench, server, streamCount);
      await streams.end();
      return streamCount;
    });
    return { ...sample, elapsedMs: performance.now() - startedAt };
  };
  const work = {
    ...(await forEachServer(servers, roundOf)),
    file: roundOf(file),
    fileBefore: fileBefore && roundOf(fileBefore),
  };
  const interleaved = async (limits: { readonly quietRounds: number; readonly maxMs: number }) => {
    const { samples, rounds } = await interleave(bench, { ...limits, work });
    const memory = { ...samples, rounds };
    return { memory, inFile: { ...memory, gengraph: samples.file, before: samples.fileBefore } };
  };
  const started = await interleaved({ quietRounds: 5, maxMs: 5000 });
  for (const server of [...Object.values(servers), file, fileBefore])
    if (server !== undefined) await warmUpOpenings(bench, server);
  const warm = await interleaved({
    quietRounds: bench.isQuick ? 6 : 20,
    maxMs: bench.isQuick ? 8000 : 45_000,
  });
  return [
    costRow('opening and end of a stream, records in memory', warm.memory, { must: 0.9, aim: 0.7 }),
    rateRow('… a second', warm.memory, { must: 1300, aim: 1800 }),
    costRow('… records in a file', warm.inFile, { must: 1, aim: 0.7 }),
    rateRow('… a second', warm.inFile, { must: 1100, aim: 1800 }),
    costRow('… the first 600 after the start, in memory', started.memory),
    costRow('… the first 600 after the start, in a file', started.inFile),
  ];
}

interface Compared extends Required<ComparedSamples<OpeningSample>> {
  readonly rounds: Rounds;
}

interface Targets {
  readonly must: number;
  readonly aim: number;
}

function costRow(work: string, compared: Compared, targets?: Targets): Row {
  const costs = compareCosts(compared);
  return {
    ...costs,
    work,
    goal: targets && {
      value: costs.gengraph,
      must: targets.must * 1000,
      aim: targets.aim * 1000,
      measure: 'value',
    },
    rounds: compared.rounds,
  };
}

/** Wall clock: clients and upstream need the other processor. */
function rateRow(work: string, { floor, before, gengraph, plain, rounds }: Compared, targets: Targets): Row {
  const toRates = (samples: readonly OpeningSample[]) =>
    samples.map(({ units, elapsedMs }) => (units * 1000) / elapsedMs);
  const [own, base] = [toRates(gengraph), toRates(floor)];
  const value = median(own);
  return {
    work,
    unit: '/s',
    floor: median(base),
    gengraph: value,
    plainYoga: median(toRates(plain)),
    ratio: spreadOfPairs(own, base),
    before:
      before.length > 0
        ? { value: median(toRates(before)), change: spreadOfPairs(own, toRates(before)) }
        : undefined,
    goal: { ...targets, value, measure: 'rate' },
    rounds,
  };
}

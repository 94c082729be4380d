import {
  type Bench,
  compareWithBefore,
  type Figure,
  interleave,
  measure,
  microsPerUnit,
  ratioOf,
  type Row,
  type ServerUnderTest,
  startBefore,
} from '../harness.ts';
import { openStreams } from '../streams.ts';

const streamCount = 100;
const mustMs = 1.7;
const aimMs = 1.1;

/** Processor time of a chat stream without tokens: one socket, the subscription, the end, and the close. */
export const openings: Figure = { name: 'openings', run };

async function run(bench: Bench): Promise<readonly Row[]> {
  const servers = {
    floor: await bench.start('floor'),
    before: await startBefore(bench),
    gengraph: await bench.start('gengraph'),
    plain: await bench.start('plain-yoga'),
  };
  const roundOf = (server: ServerUnderTest | undefined) =>
    server &&
    (() =>
      measure(server, async () => {
        const streams = await openStreams(bench, server, streamCount);
        await streams.end();
        return streamCount;
      }));
  const work = {
    floor: roundOf(servers.floor),
    before: roundOf(servers.before),
    gengraph: roundOf(servers.gengraph),
    plain: roundOf(servers.plain),
  };
  for (let pass = 0; pass < 5; pass += 1) for (const round of Object.values(work)) await round?.();
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 6 : 20,
    maxMs: bench.isQuick ? 6000 : 30_000,
    work,
  });
  const micros = microsPerUnit(samples.gengraph);
  return [
    {
      work: 'opening and end of a stream',
      unit: 'µs',
      floor: microsPerUnit(samples.floor),
      gengraph: micros,
      plainYoga: microsPerUnit(samples.plain),
      ratio: ratioOf(samples.gengraph, samples.floor),
      plainRatio: ratioOf(samples.plain, samples.floor),
      before: compareWithBefore(samples.before, samples.gengraph, samples.floor),
      goal: { value: micros, must: mustMs * 1000, aim: aimMs * 1000, measure: 'value' },
      rounds,
    },
  ];
}

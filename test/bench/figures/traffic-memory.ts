import { compareValues } from '../compare-values.ts';
import type { Bench, Figure, Row, Subject } from '../harness.ts';
import { median } from '../statistics.ts';
import { assertReceived, openStreams } from '../streams.ts';

const streamCount = 1000;
const intervalMs = 200;
const warmUpCount = 100;
const sampleMs = 250;
const mustKb = 80;

/** Resident memory of an active stream while 1,000 streams receive 5 tokens/s each, without a forced garbage collection. */
export const trafficMemory: Figure = { name: 'traffic-memory', run };

async function run(bench: Bench): Promise<readonly Row[]> {
  const roundsRun = bench.isQuick ? 1 : 3;
  const subjects: readonly Subject[] =
    bench.beforeDirectory === undefined
      ? ['floor', 'gengraph', 'plain-yoga']
      : ['floor', 'before', 'gengraph', 'plain-yoga'];
  const weighed: { readonly subject: Subject; readonly kb: number }[] = [];
  for (let round = 0; round < roundsRun; round += 1) {
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed())
      weighed.push({ subject, kb: await weigh(bench, subject) });
  }
  const of = (name: Subject) => weighed.filter(({ subject }) => subject === name).map(({ kb }) => kb);
  const gengraph = of('gengraph');
  return [
    {
      ...compareValues({
        floor: of('floor'),
        before: of('before'),
        gengraph,
        plain: of('plain-yoga'),
      }),
      work: `active stream, ${streamCount} × ${1000 / intervalMs}/s`,
      unit: 'KB',
      goal: { value: median(gengraph), must: mustKb, measure: 'value' },
      rounds: { run: roundsRun, kept: roundsRun },
      note: 'resident memory under traffic',
    },
  ];
}

/** KB per stream. The first streams pay for code and pools, and end before the measurement. */
async function weigh(bench: Bench, subject: Subject): Promise<number> {
  const server = await bench.start(subject);
  const first = await openStreams(bench, server, warmUpCount);
  await first.send({ tokensPerWrite: 1, writesPerStream: 20, intervalMs: 20 });
  await first.end();
  const { residentBytes: before } = await server.process.call('memory');

  const streams = await openStreams(bench, server, streamCount);
  const writesPerStream = bench.isQuick ? 20 : 50;
  const sizes: number[] = [];
  const timer = setInterval(() => {
    void server.process.call('residentBytes').then(
      (size) => sizes.push(size),
      () => {},
    );
  }, sampleMs);
  const received = await streams.send({ tokensPerWrite: 1, writesPerStream, intervalMs });
  clearInterval(timer);
  assertReceived(server, received, streamCount * writesPerStream);
  await streams.end();
  await server.process.stop();
  // The second half: the young generation has grown to its size under this traffic.
  return (median(sizes.slice(Math.floor(sizes.length / 2))) - before) / streamCount / 1024;
}

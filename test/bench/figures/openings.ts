import { type Bench, type Figure, interleave, measure, type Row } from '../harness.ts';
import { compareCosts, forEachServer, startServers } from '../servers.ts';
import { openStreams } from '../streams.ts';

const streamCount = 100;
const mustMs = 1.7;
const aimMs = 1.1;

/** Processor time of a chat stream without tokens: one socket, the subscription, the end, and the close. */
export const openings: Figure = { name: 'openings', run };

async function run(bench: Bench): Promise<readonly Row[]> {
  const servers = await startServers(bench);
  const work = await forEachServer(
    servers,
    (server) => () =>
      measure(server, async () => {
        const streams = await openStreams(bench, server, streamCount);
        await streams.end();
        return streamCount;
      }),
  );
  for (let pass = 0; pass < 5; pass += 1) for (const round of Object.values(work)) await round?.();
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 6 : 20,
    maxMs: bench.isQuick ? 6000 : 30_000,
    work,
  });
  const costs = compareCosts(samples);
  return [
    {
      ...costs,
      work: 'opening and end of a stream',
      goal: { value: costs.gengraph, must: mustMs * 1000, aim: aimMs * 1000, measure: 'value' },
      rounds,
    },
  ];
}

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
import type { Interleaved, Row, Sample, ServerUnderTest } from '../harness.ts';
import type { Received } from '../processes/stream-load.ts';
import { median, spreadOfPairs } from '../statistics.ts';
import { openStreams, type Streams, type TokenPace } from '../streams.ts';

const streamCount = 100;

/** Processor time and delay of a token with one token per read: 100 chats at 50 tokens/s, one socket each. */
export const pacedTokens: Figure = {
  name: 'paced-tokens',
  run: (bench) =>
    run(bench, {
      work: 'token, paced 100 streams × 50/s',
      pace: { writesPerStream: bench.isQuick ? 25 : 50, tokensPerWrite: 1, intervalMs: 20 },
      quietRounds: bench.isQuick ? 4 : 8,
      maxMs: bench.isQuick ? 5000 : 32_000,
      budget: 1.15,
      addedMicrosBudget: 60,
    }),
};

/** The same with many tokens per read. */
export const burstTokens: Figure = {
  name: 'burst-tokens',
  run: (bench) =>
    run(bench, {
      work: 'token, burst (20 per read)',
      pace: { writesPerStream: bench.isQuick ? 3 : 5, tokensPerWrite: 20, intervalMs: 100 },
      quietRounds: bench.isQuick ? 4 : 8,
      maxMs: bench.isQuick ? 4000 : 18_000,
      budget: 0.65,
    }),
};

interface TokenFigure {
  readonly work: string;
  readonly pace: TokenPace;
  readonly quietRounds: number;
  readonly maxMs: number;
  readonly budget: number;
  readonly addedMicrosBudget?: number;
}

interface TokenSample extends Sample {
  readonly received: Received;
}

async function run(bench: Bench, figure: TokenFigure): Promise<readonly Row[]> {
  const servers = {
    floor: await bench.start('floor'),
    before: await startBefore(bench),
    gengraph: await bench.start('gengraph'),
    plain: await bench.start('plain-yoga'),
  };
  for (const server of Object.values(servers)) if (server) await warmUp(bench, server);
  // Streams stay open across rounds, so that the figure excludes opening and closing.
  const streams = {
    floor: await openStreams(bench, servers.floor, streamCount),
    before: servers.before && (await openStreams(bench, servers.before, streamCount)),
    gengraph: await openStreams(bench, servers.gengraph, streamCount),
    plain: await openStreams(bench, servers.plain, streamCount),
  };
  const { before } = servers;
  const beforeStreams = streams.before;
  const interleaved = await interleave(bench, {
    quietRounds: figure.quietRounds,
    maxMs: figure.maxMs,
    work: {
      floor: () => runRound(servers.floor, streams.floor, figure.pace),
      before: before && beforeStreams && (() => runRound(before, beforeStreams, figure.pace)),
      gengraph: () => runRound(servers.gengraph, streams.gengraph, figure.pace),
      plain: () => runRound(servers.plain, streams.plain, figure.pace),
    },
  });
  for (const group of Object.values(streams)) await group?.end();

  const { samples, rounds } = interleaved;
  const ratio = ratioOf(samples.gengraph, samples.floor);
  const row: Row = {
    work: figure.work,
    unit: 'µs',
    floor: microsPerUnit(samples.floor),
    gengraph: microsPerUnit(samples.gengraph),
    plainYoga: microsPerUnit(samples.plain),
    ratio,
    plainRatio: ratioOf(samples.plain, samples.floor),
    before: compareWithBefore(samples.before, samples.gengraph, samples.floor),
    budget: { text: `≤ ${figure.budget}`, isMet: ratio.median <= figure.budget },
    rounds,
    note: `none lost; ${tokensPerMessage(samples.gengraph).toFixed(1)} tokens per message`,
  };
  return [
    row,
    latencyRow('… delay p50', interleaved, 'p50', figure.addedMicrosBudget),
    latencyRow('… delay p99', interleaved, 'p99'),
  ];
}

async function warmUp(bench: Bench, server: ServerUnderTest): Promise<void> {
  const streams = await openStreams(bench, server, streamCount);
  await streams.send({ writesPerStream: bench.isQuick ? 30 : 60, tokensPerWrite: 2, intervalMs: 20 });
  await streams.end();
}

async function runRound(server: ServerUnderTest, streams: Streams, pace: TokenPace): Promise<TokenSample> {
  let received: Received | undefined;
  const sample = await measure(server, async () => {
    received = await streams.send(pace);
    return received.tokens;
  });
  if (!received) throw new Error('no token received');
  const expected = streamCount * pace.writesPerStream * pace.tokensPerWrite;
  assertCount(`tokens received from ${server.subject}`, received.tokens, expected);
  assertCount(`tokens lost by ${server.subject}`, received.lost, 0);
  assertCount(`tokens doubled by ${server.subject}`, received.doubled, 0);
  return { ...sample, received };
}

function tokensPerMessage(samples: readonly TokenSample[]): number {
  return median(samples.map(({ received }) => received.tokens / received.messages));
}

type TokenSubject = 'floor' | 'before' | 'gengraph' | 'plain';

/** Delay from the write of the upstream to the receipt by the client. The result is the difference to the floor, per round. */
function latencyRow(
  work: string,
  { samples, rounds }: Interleaved<TokenSubject, TokenSample>,
  point: 'p50' | 'p99',
  budgetMicros?: number,
): Row {
  const micros = (of: readonly TokenSample[]) => of.map(({ received }) => received.latencyMicros[point]);
  const floor = micros(samples.floor);
  const before = micros(samples.before);
  const gengraph = micros(samples.gengraph);
  const plain = micros(samples.plain);
  const addedBy = (values: readonly number[]): number =>
    spreadOfPairs(values, floor, (value, base) => value - base).median;
  const added = addedBy(gengraph);
  const isCompared = before.length > 0;
  return {
    work,
    unit: 'µs',
    floor: median(floor),
    gengraph: median(gengraph),
    plainYoga: median(plain),
    ratio: spreadOfPairs(gengraph, floor),
    plainRatio: spreadOfPairs(plain, floor),
    before: isCompared
      ? {
          value: median(before),
          ratio: spreadOfPairs(before, floor),
          change: spreadOfPairs(gengraph, before),
          addedMicros: { before: addedBy(before), gengraph: added },
        }
      : undefined,
    budget:
      budgetMicros === undefined ? undefined : { text: `+${budgetMicros} µs`, isMet: added <= budgetMicros },
    rounds,
    note: `added ${added.toFixed(0)} µs${isCompared ? `, before ${addedBy(before).toFixed(0)} µs` : ''}`,
  };
}

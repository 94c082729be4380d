import {
  assertCount,
  type Bench,
  type Figure,
  interleave,
  measure,
  microsPerUnit,
  ratioOf,
} from '../harness.ts';
import type { Interleaved, Row, Sample, ServerUnderTest } from '../harness.ts';
import type { Received } from '../processes/stream-load.ts';
import { median, type Spread, spreadOf } from '../statistics.ts';
import { openStreams, type Streams, type TokenPace } from '../streams.ts';

const streamCount = 100;

/** Processor time and delay of a token, one in each read: 100 chats at 50 tokens a second, a socket each. */
export const pacedTokens: Figure = {
  name: 'paced-tokens',
  run: (bench) =>
    run(bench, {
      work: 'token, paced 100 streams × 50/s',
      pace: { writesPerStream: bench.isQuick ? 25 : 50, tokensPerWrite: 1, intervalMs: 20 },
      calmRounds: bench.isQuick ? 4 : 8,
      maxMs: bench.isQuick ? 5000 : 32_000,
      budget: 1.15,
      addedMicrosBudget: 60,
    }),
};

/** The same with many tokens in each read. */
export const burstTokens: Figure = {
  name: 'burst-tokens',
  run: (bench) =>
    run(bench, {
      work: 'token, burst (20 in each read)',
      pace: { writesPerStream: bench.isQuick ? 3 : 5, tokensPerWrite: 20, intervalMs: 100 },
      calmRounds: bench.isQuick ? 4 : 8,
      maxMs: bench.isQuick ? 4000 : 18_000,
      budget: 0.65,
    }),
};

interface TokenFigure {
  readonly work: string;
  readonly pace: TokenPace;
  readonly calmRounds: number;
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
    gengraph: await bench.start('gengraph'),
    plain: await bench.start('plain-yoga'),
  };
  for (const server of Object.values(servers)) await warmUp(bench, server);
  // The streams stay open from round to round, so that opening and ending them is not in the figure.
  const streams = {
    floor: await openStreams(bench, servers.floor, streamCount),
    gengraph: await openStreams(bench, servers.gengraph, streamCount),
    plain: await openStreams(bench, servers.plain, streamCount),
  };
  const interleaved = await interleave(bench, {
    calmRounds: figure.calmRounds,
    maxMs: figure.maxMs,
    work: {
      floor: () => runRound(servers.floor, streams.floor, figure.pace),
      gengraph: () => runRound(servers.gengraph, streams.gengraph, figure.pace),
      plain: () => runRound(servers.plain, streams.plain, figure.pace),
    },
  });
  for (const group of Object.values(streams)) await group.end();

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
  if (!received) throw new Error('nothing was received');
  const expected = streamCount * pace.writesPerStream * pace.tokensPerWrite;
  assertCount(`tokens received from ${server.subject}`, received.tokens, expected);
  assertCount(`tokens lost by ${server.subject}`, received.lost, 0);
  assertCount(`tokens doubled by ${server.subject}`, received.doubled, 0);
  return { ...sample, received };
}

function tokensPerMessage(samples: readonly TokenSample[]): number {
  return median(samples.map(({ received }) => received.tokens / received.messages));
}

type TokenSubject = 'floor' | 'gengraph' | 'plain';

/** From the upstream's write to the client's receipt. What counts is the difference, also taken round by round. */
function latencyRow(
  work: string,
  { samples, rounds }: Interleaved<TokenSubject, TokenSample>,
  point: 'p50' | 'p99',
  budgetMicros?: number,
): Row {
  const micros = (of: readonly TokenSample[]) => of.map(({ received }) => received.latencyMicros[point]);
  const floor = micros(samples.floor);
  const pairwise = (combine: (value: number, base: number) => number, of: readonly TokenSample[]): Spread =>
    spreadOf(micros(of).map((value, round) => combine(value, floor[round] ?? Number.NaN)));
  const added = pairwise((value, base) => value - base, samples.gengraph);
  return {
    work,
    unit: 'µs',
    floor: median(floor),
    gengraph: median(micros(samples.gengraph)),
    plainYoga: median(micros(samples.plain)),
    ratio: pairwise((value, base) => value / base, samples.gengraph),
    plainRatio: pairwise((value, base) => value / base, samples.plain),
    budget:
      budgetMicros === undefined
        ? undefined
        : { text: `+${budgetMicros} µs`, isMet: added.median <= budgetMicros },
    rounds,
    note: `added ${added.median.toFixed(0)} µs`,
  };
}

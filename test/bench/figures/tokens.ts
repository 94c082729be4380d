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
import type { Received } from '../processes/stream-load.ts';
import { type Compared as ComparedSamples, compareCosts, forEachServer, startServers } from '../servers.ts';
import { median, spreadOfPairs } from '../statistics.ts';
import { assertReceived, openStreams, type Streams, type TokenPace } from '../streams.ts';

const streamCount = 100;

/**
 * Processor time and delay of a token with one token per read: 100 chats at 50 tokens/s, one socket each. It includes the opening
 * and the end of the chats, of 150 tokens each.
 */
export const pacedTokens: Figure = { name: 'paced-tokens', run: withDirectories(runPaced) };

/** Processor time of a token with many tokens per read, in chats that stay open. */
export const burstTokens: Figure = { name: 'burst-tokens', run: runBurst };

interface TokenSample extends Sample {
  readonly received: Received;
}

interface Directories {
  readonly own: string;
  readonly before: string;
}

/** Provides directories for records in files, and deletes them. */
function withDirectories(
  run: (bench: Bench, directories: Directories) => Promise<readonly Row[]>,
): Figure['run'] {
  return async (bench) => {
    const root = mkdtempSync(join(tmpdir(), 'gengraph-bench-'));
    try {
      return await run(bench, { own: join(root, 'own'), before: join(root, 'before') });
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  };
}

async function runPaced(bench: Bench, directories: Directories): Promise<readonly Row[]> {
  const servers = {
    ...(await startServers(bench)),
    fileBefore: await startBefore(bench, { dataDirectory: directories.before }),
    file: await bench.start('gengraph', { dataDirectory: directories.own }),
  };
  for (const server of Object.values(servers)) if (server) await warmUp(bench, server);
  const pace = { writesPerStream: 150, tokensPerWrite: 1, intervalMs: 20 };
  const roundOf = (server: ServerUnderTest) => () =>
    runRound(server, pace, async () => {
      const streams = await openStreams(bench, server, streamCount);
      const received = await streams.send(pace);
      await streams.end();
      return received;
    });
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 3 : 6,
    maxMs: bench.isQuick ? 10_000 : 90_000,
    work: {
      ...(await forEachServer(servers, roundOf)),
      fileBefore: servers.fileBefore && roundOf(servers.fileBefore),
      file: roundOf(servers.file),
    },
  });
  const memory = { ...samples, rounds };
  const file = { ...memory, before: samples.fileBefore, gengraph: samples.file };
  const work = 'token, paced 100 streams × 50/s × 150';
  return [
    costRow(work, memory, { must: 1.9, aim: 1.45 }),
    latencyRow('… delay p50', memory, 'p50', { must: 90, aim: 40 }),
    latencyRow('… delay p99', memory, 'p99'),
    costRow('… records in a file', file, { must: 2, aim: 1.45 }),
    latencyRow('… … delay p50', file, 'p50', { must: 90, aim: 40 }),
  ];
}

async function runBurst(bench: Bench): Promise<readonly Row[]> {
  const servers = await startServers(bench);
  for (const server of Object.values(servers)) if (server) await warmUp(bench, server);
  const pace = { writesPerStream: bench.isQuick ? 3 : 5, tokensPerWrite: 20, intervalMs: 100 };
  const opened: Streams[] = [];
  const work = await forEachServer(servers, async (server) => {
    const streams = await openStreams(bench, server, streamCount);
    opened.push(streams);
    return () => runRound(server, pace, () => streams.send(pace));
  });
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 4 : 8,
    maxMs: bench.isQuick ? 4000 : 18_000,
    work,
  });
  for (const streams of opened) await streams.end();
  const compared = { ...samples, rounds };
  return [
    costRow('token, burst (20 per read)', compared, { must: 0.85, aim: 0.65 }),
    latencyRow('… delay p50', compared, 'p50'),
    latencyRow('… delay p99', compared, 'p99'),
  ];
}

interface Targets {
  readonly must: number;
  readonly aim: number;
}

interface Compared extends Required<ComparedSamples<TokenSample>> {
  readonly rounds: Rounds;
}

function costRow(work: string, compared: Compared, targets: Targets): Row {
  const costs = compareCosts(compared);
  return {
    ...costs,
    work,
    goal: { ...targets, value: costs.ratio.median, measure: 'ratio' },
    rounds: compared.rounds,
    note: `none lost; ${tokensPerMessage(compared.gengraph).toFixed(1)} tokens per message`,
  };
}

async function warmUp(bench: Bench, server: ServerUnderTest): Promise<void> {
  const streams = await openStreams(bench, server, streamCount);
  await streams.send({ writesPerStream: bench.isQuick ? 30 : 60, tokensPerWrite: 2, intervalMs: 20 });
  await streams.end();
}

async function runRound(
  server: ServerUnderTest,
  pace: TokenPace,
  send: () => Promise<Received>,
): Promise<TokenSample> {
  let received: Received | undefined;
  const sample = await measure(server, async () => {
    received = await send();
    return received.tokens;
  });
  if (!received) throw new Error('no token received');
  assertReceived(server, received, streamCount * pace.writesPerStream * pace.tokensPerWrite);
  return { ...sample, received };
}

function tokensPerMessage(samples: readonly TokenSample[]): number {
  return median(samples.map(({ received }) => received.tokens / received.messages));
}

/** Delay from the write of the upstream to the receipt by the client. The result is the difference to the floor, per round. */
function latencyRow(work: string, samples: Compared, point: 'p50' | 'p99', targets?: Targets): Row {
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
    goal: targets && { ...targets, value: added, measure: 'added' },
    rounds: samples.rounds,
    note: `added ${added.toFixed(0)} µs${isCompared ? `, before ${addedBy(before).toFixed(0)} µs` : ''}`,
  };
}

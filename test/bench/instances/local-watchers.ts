import type { Database } from '../database.ts';
import { interleave, type Bench, type Row, type ServerUnderTest } from '../harness.ts';
import type { Received } from '../processes/stream-load.ts';
import { median, spreadOfPairs } from '../statistics.ts';
import { assertReceived, openStreams } from '../streams.ts';
import { type Measured, measureUsage, perUnit, sum, type Usage } from './usage.ts';

const streamCount = 100;
/** Each second of it has one save. */
const tokensPerStream = { full: 150, quick: 50 };
const goals = { token: { must: 1.05, aim: 1 } };

export interface Deployment {
  readonly bench: Bench;
  readonly database: Database;
  /** The only server on its records, which are in a file. */
  readonly sqlite: ServerUnderTest;
  /** The servers on one database. */
  readonly instances: readonly ServerUnderTest[];
}

/** One round: chats that their own clients watch. */
interface LocalRound {
  readonly opening: Usage;
  readonly tokens: Measured<Received>;
  readonly end: Usage;
}

/** Every chat is watched on the server that runs it. The baseline is one server with SQLite. */
export async function measureLocalWatchers(deployment: Deployment): Promise<readonly Row[]> {
  const { bench, sqlite, instances } = deployment;
  const tokens = streamCount * tokensPerStream[bench.isQuick ? 'quick' : 'full'];
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 3 : 6,
    maxMs: bench.isQuick ? 5000 : instances.length === 1 ? 45_000 : 20_000,
    work: {
      sqlite: () => runRound(deployment, [sqlite]),
      postgres: () => runRound(deployment, instances),
    },
  });
  const count = instances.length === 1 ? '1 server' : `${instances.length} servers`;
  const compare = (pick: (round: LocalRound) => number, units: number) => {
    const [floor, gengraph] = [samples.sqlite, samples.postgres].map((all) => all.map(pick));
    return {
      unit: 'µs' as const,
      floor: perUnit(samples.sqlite, pick, units),
      gengraph: perUnit(samples.postgres, pick, units),
      ratio: spreadOfPairs(gengraph ?? [], floor ?? []),
      rounds,
    };
  };
  const token = compare((round) => sum(round.tokens.servers), tokens);
  const others = (
    part: 'tokens' | 'opening' | 'end',
    name: 'database' | 'upstream' | 'clients',
    units: number,
  ) => perUnit(samples.postgres, (round) => round[part][name], units).toFixed(1);
  const perMessage = median(
    samples.postgres.map((round) => round.tokens.result.tokens / round.tokens.result.messages),
  );
  const wal = (part: 'tokens' | 'opening' | 'end') =>
    perUnit(samples.postgres, (round) => round[part].walBytes, streamCount).toFixed(0);
  return [
    {
      ...token,
      work: `${count}, token, local watchers`,
      ...(instances.length === 1 && {
        goal: { ...goals.token, value: token.ratio.median, measure: 'ratio' as const },
      }),
      note: `database ${others('tokens', 'database', tokens)} µs, upstream ${others('tokens', 'upstream', tokens)} µs, clients ${others('tokens', 'clients', tokens)} µs; none lost; ${perMessage.toFixed(1)} tokens per message; WAL ${wal('tokens')} B per chat`,
    },
    {
      ...compare((round) => sum(round.opening.servers), streamCount),
      work: '… opening of a chat',
      note: `database ${others('opening', 'database', streamCount)} µs; WAL ${wal('opening')} B`,
    },
    {
      ...compare((round) => sum(round.end.servers), streamCount),
      work: '… end of a chat',
      note: `database ${others('end', 'database', streamCount)} µs; WAL ${wal('end')} B`,
    },
  ];
}

async function runRound(deployment: Deployment, servers: readonly ServerUnderTest[]): Promise<LocalRound> {
  const { bench } = deployment;
  const opening = await measureUsage(deployment, servers, () => openStreams(bench, servers, streamCount));
  const streams = opening.result;
  const pace = {
    writesPerStream: tokensPerStream[bench.isQuick ? 'quick' : 'full'],
    tokensPerWrite: 1,
    intervalMs: 20,
  };
  const sent = await measureUsage(deployment, servers, () => streams.send(pace));
  for (const server of servers.slice(0, 1))
    assertReceived(server, sent.result, streamCount * pace.writesPerStream);
  const end = await measureUsage(deployment, servers, () => streams.end());
  return { opening, tokens: sent, end };
}

const idleMs = 5000;

/** What servers cost without clients. */
export async function measureIdle(deployment: Deployment): Promise<Row> {
  const { instances } = deployment;
  const idle = await measureUsage(
    deployment,
    instances,
    () => new Promise((resolve) => setTimeout(resolve, idleMs)),
  );
  const seconds = idle.elapsedMs / 1000;
  return {
    work: '… idle second, per server',
    unit: 'µs',
    gengraph: sum(idle.servers) / instances.length / seconds,
    rounds: { run: 1, kept: 1 },
    note: `database ${(idle.database / instances.length / seconds).toFixed(0)} µs per server`,
  };
}

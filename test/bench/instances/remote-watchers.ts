import type { Database } from '../database.ts';
import { interleave, type Bench, type Row, type ServerUnderTest } from '../harness.ts';
import { median, spreadOfPairs } from '../statistics.ts';
import { assertReceived, openWatchedStreams } from '../streams.ts';
import { type Measured, measureUsage, perUnit } from './usage.ts';

const tokensPerStream = { full: 150, quick: 50 };
const intervalMs = 20;
/** For the delay and the database: with this many streams. The others show the slope. */
const goalStreams = 50;
const goals = { addedMs: { must: 60, aim: 30 }, commits: { must: 100 }, databaseMs: { must: 40, aim: 20 } };

export interface RemoteDeployment {
  readonly bench: Bench;
  readonly database: Database;
  /** Runs all chats. */
  readonly producer: ServerUnderTest;
  /** Serves the watchers. */
  readonly reader: ServerUnderTest;
}

interface RemoteRound {
  readonly usage: Measured<unknown>;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly tokensPerMessage: number;
  /** Of the busiest server. */
  readonly commitsPerSecond: number;
}

/** Every watcher is on another server than its chat. The baseline is the same chats with watchers on their own server. */
export async function measureRemoteWatchers(
  deployment: RemoteDeployment,
  streamCount: number,
): Promise<readonly Row[]> {
  const { bench, producer, reader } = deployment;
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 3 : 5,
    maxMs: bench.isQuick ? 5000 : 20_000,
    work: {
      local: () => runRound(deployment, { producer, reader: producer }, streamCount),
      remote: () => runRound(deployment, { producer, reader }, streamCount),
    },
  });
  const delay = (pick: (round: RemoteRound) => number) => {
    const [floor, gengraph] = [samples.local.map(pick), samples.remote.map(pick)];
    const added = spreadOfPairs(gengraph, floor, (value, base) => value - base).median;
    return {
      row: {
        unit: 'ms' as const,
        floor: median(floor),
        gengraph: median(gengraph),
        ratio: spreadOfPairs(gengraph, floor),
        rounds,
      },
      added,
    };
  };
  const [p50, p99] = [delay(({ p50Ms }) => p50Ms), delay(({ p99Ms }) => p99Ms)];
  const tokens = streamCount * tokensPerStream[bench.isQuick ? 'quick' : 'full'];
  const micros = (of: readonly RemoteRound[], index: number) =>
    perUnit(of, ({ usage }) => usage.servers[index] ?? 0, tokens);
  const databaseMs = (of: readonly RemoteRound[]) =>
    median(of.map(({ usage }) => usage.database / 1000 / (tokens / 1000)));
  const commits = (of: readonly RemoteRound[]) => median(of.map((round) => round.commitsPerSecond));
  const perMessage = median(samples.remote.map(({ tokensPerMessage }) => tokensPerMessage));
  const hasGoals = streamCount === goalStreams;
  return [
    {
      ...p50.row,
      work: `${streamCount} streams × ${1000 / intervalMs}/s, remote watchers: delay p50`,
      ...(hasGoals && { goal: { ...goals.addedMs, value: p50.added, measure: 'added' as const } }),
      note: `added ${p50.added.toFixed(1)} ms; none lost; ${perMessage.toFixed(1)} tokens per message`,
    },
    { ...p99.row, work: '… delay p99', note: `added ${p99.added.toFixed(1)} ms` },
    {
      work: '… database, 1,000 tokens',
      unit: 'ms',
      floor: databaseMs(samples.local),
      gengraph: databaseMs(samples.remote),
      ...(hasGoals && {
        goal: { ...goals.databaseMs, value: databaseMs(samples.remote), measure: 'value' as const },
      }),
      rounds,
      note: `WAL ${perUnit(samples.remote, ({ usage }) => usage.walBytes, streamCount).toFixed(0)} B per chat`,
    },
    {
      work: '… notifying commits of the busiest server',
      unit: '/s',
      floor: commits(samples.local),
      gengraph: commits(samples.remote),
      goal: { ...goals.commits, value: commits(samples.remote), measure: 'value' },
      rounds,
    },
    {
      work: '… token, server that runs the chat',
      unit: 'µs',
      floor: micros(samples.local, 0),
      gengraph: micros(samples.remote, 0),
      rounds,
      note: `server of the watchers ${micros(samples.remote, 1).toFixed(1)} µs`,
    },
  ];
}

async function runRound(
  deployment: RemoteDeployment,
  watched: { readonly producer: ServerUnderTest; readonly reader: ServerUnderTest },
  streamCount: number,
): Promise<RemoteRound> {
  const { bench, database, producer, reader } = deployment;
  const streams = await openWatchedStreams(bench, watched, streamCount);
  const startedAt = await readTime(database);
  const pace = {
    writesPerStream: tokensPerStream[bench.isQuick ? 'quick' : 'full'],
    tokensPerWrite: 1,
    intervalMs,
  };
  const usage = await measureUsage(deployment, [producer, reader], () => streams.send(pace));
  const commits = await countCommits(database, startedAt);
  const { latencyMicros, tokens, messages } = usage.result;
  assertReceived(watched.reader, usage.result, streamCount * pace.writesPerStream);
  await streams.end();
  return {
    usage,
    p50Ms: latencyMicros.p50 / 1000,
    p99Ms: latencyMicros.p99 / 1000,
    tokensPerMessage: tokens / messages,
    commitsPerSecond: commits / (usage.elapsedMs / 1000),
  };
}

async function readTime(database: Database): Promise<string> {
  const [row] = await database.query<{ readonly now: string }>('select clock_timestamp()::text as now');
  return row?.now ?? '';
}

/** The rows of one commit have the id of its transaction. Each such commit notifies. */
async function countCommits(database: Database, since: string): Promise<number> {
  const rows = await database.query<{ readonly commits: string }>(
    `select count(distinct xmin::text) as commits from instance_messages_1
    where sent_at >= $1::timestamptz group by sender`,
    [since],
  );
  return Math.max(0, ...rows.map(({ commits }) => Number(commits)));
}

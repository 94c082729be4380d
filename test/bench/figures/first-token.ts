import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDatabase } from '../database.ts';
import {
  type Bench,
  type Figure,
  interleave,
  type Row,
  type ServerUnderTest,
  startBefore,
} from '../harness.ts';
import { type Servers as StartedServers, startServers } from '../servers.ts';
import { median, spreadOfPairs } from '../statistics.ts';
import { warmUpOpenings } from '../streams.ts';

/** Time from the request of a chat to its first token, one chat at a time: what a user waits for. The upstream writes at once. */
export const firstToken: Figure = { name: 'first-token', run };

const places = ['memory', 'file', 'PostgreSQL'] as const;
const musts = { memory: 1.6, file: 1.8, PostgreSQL: 3.5 } as const;
const aimMs = 1.2;

async function run(bench: Bench): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'gengraph-bench-'));
  const database = await startDatabase();
  try {
    const shared = { settings: { DATABASE_URL: database.url } };
    const servers: Servers = {
      ...(await startServers(bench)),
      file: await bench.start('gengraph', { dataDirectory: join(directory, 'own') }),
      fileBefore: await startBefore(bench, { dataDirectory: join(directory, 'before') }),
      PostgreSQL: await bench.start('gengraph', shared),
    };
    const started = await measureRows(bench, servers, { state: 'just started' });
    for (const server of Object.values(servers)) if (server) await warmUpOpenings(bench, server);
    return [
      ...(await measureRows(bench, servers, { state: 'warm socket', hasGoal: true })),
      ...(await measureRows(bench, servers, { state: 'new socket' })),
      ...started,
    ];
  } finally {
    await database.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Servers extends StartedServers {
  readonly file: ServerUnderTest;
  readonly fileBefore: ServerUnderTest | undefined;
  readonly PostgreSQL: ServerUnderTest;
}

interface Measured {
  /** Of the server, or of the socket of a server that is warm. */
  readonly state: 'just started' | 'warm socket' | 'new socket';
  /** @default false */
  readonly hasGoal?: boolean;
}

async function measureRows(
  bench: Bench,
  { gengraph, before, ...servers }: Servers,
  { state, hasGoal = false }: Measured,
): Promise<readonly Row[]> {
  const ask = (server: ServerUnderTest) => () =>
    bench.load.call('measureFirstTokens', {
      url: server.url,
      protocol: server.subject === 'floor' ? 'raw' : 'graphql',
      isNewSocket: state === 'new socket',
      count: 40,
    });
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick || state === 'just started' ? 4 : 12,
    maxMs: bench.isQuick || state === 'just started' ? 6000 : 25_000,
    work: {
      floor: ask(servers.floor),
      plain: ask(servers.plain),
      memory: ask(gengraph),
      memoryBefore: before && ask(before),
      file: ask(servers.file),
      fileBefore: servers.fileBefore && ask(servers.fileBefore),
      PostgreSQL: ask(servers.PostgreSQL),
    },
  });
  return places.map((place) => {
    const own = samples[place];
    const before = place === 'PostgreSQL' ? [] : samples[`${place}Before`];
    const value = median(own);
    const work = `first token, ${state}, ${place}`;
    return {
      work,
      unit: 'ms',
      floor: median(samples.floor),
      gengraph: value,
      plainYoga: median(samples.plain),
      ratio: spreadOfPairs(own, samples.floor),
      plainRatio: spreadOfPairs(samples.plain, samples.floor),
      before: before.length > 0 ? { value: median(before), change: spreadOfPairs(own, before) } : undefined,
      goal: hasGoal ? { value, must: musts[place], aim: aimMs, measure: 'value' } : undefined,
      rounds,
      note: 'wall clock: compare on a quiet machine only',
    };
  });
}

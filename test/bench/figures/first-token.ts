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
import { startServers } from '../servers.ts';
import { median, spreadOfPairs } from '../statistics.ts';

/** Time from the request of a chat to its first token, one chat at a time: what a user waits for. The upstream writes at once. */
export const firstToken: Figure = { name: 'first-token', run };

const places = ['memory', 'file', 'PostgreSQL'] as const;
const musts = { memory: 1.6, file: 1.8, PostgreSQL: 3.5 } as const;
const aimMs = 1.2;

async function run(bench: Bench): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'gengraph-bench-'));
  const database = await startDatabase();
  try {
    const { floor, plain, before, gengraph } = await startServers(bench);
    const file = (name: string) => ({ dataDirectory: join(directory, name) });
    const shared = { settings: { DATABASE_URL: database.url } };
    const servers = {
      floor,
      plain,
      memory: { own: gengraph, before },
      file: {
        own: await bench.start('gengraph', file('own')),
        before: await startBefore(bench, file('before')),
      },
      PostgreSQL: { own: await bench.start('gengraph', shared), before: undefined },
    };
    const rows: Row[] = [];
    for (const isNewSocket of [false, true]) rows.push(...(await measureRows(bench, servers, isNewSocket)));
    return rows;
  } finally {
    await database.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

type Servers = Readonly<
  Record<(typeof places)[number], { own: ServerUnderTest; before: ServerUnderTest | undefined }>
> & { readonly floor: ServerUnderTest; readonly plain: ServerUnderTest };

async function measureRows(bench: Bench, servers: Servers, isNewSocket: boolean): Promise<readonly Row[]> {
  const ask = (server: ServerUnderTest | undefined) =>
    server &&
    (() =>
      bench.load.call('measureFirstTokens', {
        url: server.url,
        protocol: server.subject === 'floor' ? 'raw' : 'graphql',
        isNewSocket,
        count: 40,
      }));
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 4 : 12,
    maxMs: bench.isQuick ? 6000 : 25_000,
    work: {
      floor: ask(servers.floor),
      plain: ask(servers.plain),
      memory: ask(servers.memory.own),
      memoryBefore: ask(servers.memory.before),
      file: ask(servers.file.own),
      fileBefore: ask(servers.file.before),
      PostgreSQL: ask(servers.PostgreSQL.own),
    },
  });
  return places.map((place) => {
    const own = samples[place];
    const before = place === 'PostgreSQL' ? [] : samples[`${place}Before`];
    const value = median(own);
    const work = `first token, ${isNewSocket ? 'new' : 'warm'} socket, ${place}`;
    return {
      work,
      unit: 'ms',
      floor: median(samples.floor),
      gengraph: value,
      plainYoga: median(samples.plain),
      ratio: spreadOfPairs(own, samples.floor),
      plainRatio: spreadOfPairs(samples.plain, samples.floor),
      before: before.length > 0 ? { value: median(before), change: spreadOfPairs(own, before) } : undefined,
      goal: isNewSocket ? undefined : { value, must: musts[place], aim: aimMs, measure: 'value' },
      rounds,
      note: 'wall clock: compare on a quiet machine only',
    };
  });
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, startDatabase } from '../database.ts';
import type { Bench, Figure, Row, ServerUnderTest } from '../harness.ts';
import { measureCreates } from '../instances/creates.ts';
import { measureIdle, measureLocalWatchers } from '../instances/local-watchers.ts';
import { measureRemoteWatchers } from '../instances/remote-watchers.ts';
import { measureRetention, measureSizes } from '../instances/sizes.ts';
import { withOwnProcesses } from '../own-processes.ts';
import type { DatabaseProxyCalls } from '../processes/database-proxy.ts';

/** Servers on one PostgreSQL: what a token, a create and a record cost each process. The baseline is one server with SQLite. */
export const instances: Figure = { name: 'instances', run };

const instanceCounts = [1, 2, 4];
const remoteStreamCounts = [10, 50, 100];

async function run(bench: Bench): Promise<readonly Row[]> {
  if (process.platform !== 'linux') {
    console.error('instances: skipped, because it reads the processor time of PostgreSQL from /proc');
    return [];
  }
  const directory = mkdtempSync(join(tmpdir(), 'gengraph-bench-'));
  const database = await startDatabase();
  const withDatabase: Bench = {
    ...bench,
    processIds: () => [...bench.processIds(), ...database.processIds()],
  };
  try {
    return await measureAll(withDatabase, database, directory);
  } finally {
    await database.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measureAll(bench: Bench, database: Database, directory: string): Promise<readonly Row[]> {
  const sqlite = await bench.start('gengraph', { dataDirectory: directory });
  const startInstance = () => bench.start('gengraph', { settings: { DATABASE_URL: database.url } });
  const producer = await startInstance();
  const servers: ServerUnderTest[] = [producer];
  const rows: Row[] = [];
  for (const count of instanceCounts) {
    while (servers.length < count) servers.push(await startInstance());
    const deployment = { bench, database, sqlite, instances: servers };
    rows.push(...(await measureLocalWatchers(deployment)), await measureIdle(deployment));
  }
  const reader = servers[1] ?? producer;
  for (const count of remoteStreamCounts)
    rows.push(...(await measureRemoteWatchers({ bench, database, producer, reader }, count)));
  rows.push(...(await measureSizes(database)));
  rows.push(...(await countCreates(bench, database)));
  await Promise.all([sqlite, ...servers].map((server) => server.process.stop()));
  rows.push(await measureRetention(database));
  return rows;
}

function countCreates(bench: Bench, database: Database): Promise<readonly Row[]> {
  return withOwnProcesses(bench, async (own) => {
    const proxy = await own.start<DatabaseProxyCalls>('database-proxy', [database.url]);
    const settings = { DATABASE_URL: await proxy.call('url'), DATABASE_LISTEN_URL: database.url };
    const server = await bench.start('gengraph', { settings });
    const rows = await measureCreates({ bench: own.bench, database, proxy, server });
    await server.process.stop();
    return rows;
  });
}

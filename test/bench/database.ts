import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../deploy/postgres/embedded.ts';
import { findPort } from '../support/find-port.ts';
import { endWithBench } from './end-with-bench.ts';
import { pin } from './processors.ts';

/** A PostgreSQL server with its own data directory, and a connection for measurements. */
export interface Database {
  readonly url: string;
  /** All processes of the server. */
  readonly processIds: () => readonly number[];
  /** Processor time of all processes since the start. */
  readonly cpuMicros: () => number;
  /** Bytes of write-ahead log since the creation of the data directory. */
  readonly walBytes: () => Promise<number>;
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  stop(): Promise<void>;
}

/** Settings are the defaults of PostgreSQL: every commit is synced. Needs the /proc of Linux. */
export async function startDatabase(): Promise<Database> {
  const directory = await mkdtemp(join(tmpdir(), 'gengraph-bench-postgres-'));
  const settings = ['max_connections=200'];
  const server = await startEmbeddedPostgres({
    directory,
    port: await findPort(),
    isInitialized: false,
    settings,
  });
  const [line = ''] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n');
  const processId = Number(line);
  const forget = endWithBench(processId);
  // New backends inherit it.
  for (const id of familyOf(processId)) pin(id, 'other');
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const query: Database['query'] = async <Row extends object>(
    text: string,
    values: readonly unknown[] = [],
  ) =>
    // The caller names the columns of its statement.
    (await client.query(text, [...values])).rows as Row[];
  /** The last reading of each process. Those that have ended keep theirs. */
  const micros = new Map<number, number>();
  return {
    url: server.url,
    processIds: () => familyOf(processId),
    cpuMicros() {
      for (const id of familyOf(processId)) micros.set(id, processMicros(id) ?? micros.get(id) ?? 0);
      return [...micros.values()].reduce((sum, value) => sum + value, 0);
    },
    async walBytes() {
      const [row] = await query<{ readonly bytes: string }>(
        "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes",
      );
      return Number(row?.bytes);
    },
    query,
    async stop() {
      await client.end();
      await server.stop();
      forget();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A process and all its descendants. */
export function familyOf(processId: number): readonly number[] {
  const parents = readdirSync('/proc')
    .map(Number)
    .filter((id) => id > 0)
    .map((id) => ({ id, parent: parentOf(id) }));
  const family = [processId];
  for (const member of family)
    family.push(...parents.filter(({ parent }) => parent === member).map(({ id }) => id));
  return family;
}

function parentOf(processId: number): number | undefined {
  try {
    // After the name, which ends at the last parenthesis: state, parent.
    return Number(readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** Of a process with one thread. More precise than the ticks of /proc/<id>/stat. Undefined if it has ended. */
function processMicros(processId: number): number | undefined {
  try {
    // https://docs.kernel.org/scheduler/sched-stats.html
    return Number(readFileSync(`/proc/${processId}/schedstat`, 'utf8').split(' ')[0]) / 1000;
  } catch {
    return undefined;
  }
}

import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject, onTestFinished, vi } from 'vitest';
import { type EmbeddedDatabase, startEmbeddedPostgres } from '../../deploy/postgres/embedded.ts';
import { askBroker } from './broker.ts';
import { findPort } from './find-port.ts';
import { copyDatabase, serverSettings } from './prepared-database.ts';

/** A PostgreSQL server of one test, which can stop and start it. */
export interface DatabaseServer {
  readonly url: string;
  /** Disconnects all clients and shuts down. */
  stop(): Promise<void>;
  /** Kills all processes of the server at once with SIGKILL. Linux only. */
  crash(): Promise<void>;
  restart(): Promise<void>;
  /** The lines of the server's log that report errors. */
  errors(): Promise<readonly string[]>;
}

/** Stopped and deleted when the test ends. */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  const directory = await copyDatabase(await askBroker(inject('preparedDatabaseBroker')));
  const port = await findPort();
  const settings = [...serverSettings, 'max_connections=200'];
  let log = '';
  const onLog = (text: string): void => void (log += text);
  const start = (): Promise<EmbeddedDatabase> =>
    startEmbeddedPostgres({ directory, port, isInitialized: true, settings, onLog });
  let database: EmbeddedDatabase | undefined = await start();
  const stop = async (): Promise<void> => {
    await database?.stop();
    database = undefined;
  };
  onTestFinished(async () => {
    await stop();
    await rm(directory, { recursive: true, force: true });
  });
  return {
    url: database.url,
    stop,
    async crash() {
      const [line = ''] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n');
      const main = Number(line);
      const all = [main, ...(await findChildren(main))];
      for (const pid of all) process.kill(pid, 'SIGKILL');
      // Resolves when the main process has ended.
      await stop();
    },
    async restart() {
      database = await start();
    },
    // Complete up to the last reply: the server writes a line before it answers, over a pipe that may still be read.
    async errors() {
      const client = new Client({ connectionString: database?.url });
      const mark = randomUUID();
      await client.connect();
      await client.query(`do $$ begin raise log 'mark ${mark}'; end $$`);
      await client.end();
      await vi.waitUntil(() => log.includes(mark), 60_000);
      return log.split('\n').filter((line) => / (ERROR|FATAL|PANIC): /.test(line));
    },
  };
}

async function findChildren(parent: number): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const parents = await Promise.all(
    pids.map(async (pid) => {
      // A process may end meanwhile.
      const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
    }),
  );
  return pids.filter((_pid, index) => parents[index] === parent);
}

import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { inject, type TestContext } from 'vitest';
import { createDirectory } from './durable-server.ts';
import { findPort } from './find-port.ts';
import { type Program, startProgram } from './programs.ts';

const program = inject('pgbouncer');

/** Skips a test that needs PgBouncer where there is none. */
export function skipWithoutPgBouncer({ skip }: Pick<TestContext, 'skip'>): void {
  skip(program === undefined, 'no PgBouncer: install the Debian package pgbouncer');
}

export interface PgBouncer {
  /** The URL of the database, through the pooler. */
  readonly url: string;
  /** Kills it, and starts it again. */
  restart(): Promise<void>;
}

/** Starts PgBouncer in transaction mode in front of a database. Stopped when the test ends. */
export async function startPgBouncer(databaseUrl: string): Promise<PgBouncer> {
  if (program === undefined) throw new Error('There is no PgBouncer.');
  const { hostname, port, username, password } = new URL(databaseUrl);
  const url = new URL(databaseUrl);
  url.port = String(await findPort());
  const file = join(await createDirectory(), 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port} user=${username} password=${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${url.port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    // As docs/settings.md asks.
    'server_login_retry = 1',
    // It refuses to run as root. The database of the test runs as this user too.
    ...(userInfo().uid === 0 ? ['user = postgres'] : []),
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const start = async (): Promise<Program> => {
    const started = startProgram([program, file]);
    await started.waitForOutput(/process up/);
    return started;
  };
  let running = await start();
  return {
    url: url.href,
    async restart() {
      running.kill('SIGKILL');
      await running.exited;
      running = await start();
    },
  };
}

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from './embedded.ts';

/**
 * `npm run postgres` starts a PostgreSQL server on the loopback interface, with its data in POSTGRES_DIR. Its port is
 * POSTGRES_PORT.
 */
// Not below DATA_DIR, which only the user of the server can read: for root, PostgreSQL runs as another user.
const { POSTGRES_PORT = '5433', POSTGRES_DIR = '.postgres' } = process.env;
const directory = resolve(POSTGRES_DIR);

try {
  const server = await startEmbeddedPostgres({
    directory,
    port: Number(POSTGRES_PORT),
    isInitialized: existsSync(join(directory, 'PG_VERSION')),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.stop());
  announce(server.url);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function announce(url: string): void {
  process.stdout.write(`
PostgreSQL is ready. Its data is in ${directory}. Start any number of servers with it:

DATABASE_URL=${url} npm start
`);
}

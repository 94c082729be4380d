import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from './embedded.ts';

/**
 * `npm run postgres` starts a PostgreSQL server on the loopback interface, with its data in POSTGRES_DIR. Its port is
 * POSTGRES_PORT.
 */
const { POSTGRES_PORT = '5433', POSTGRES_DIR = '.data/postgres' } = process.env;
const directory = resolve(POSTGRES_DIR);
const server = await startEmbeddedPostgres({
  directory,
  port: Number(POSTGRES_PORT),
  isInitialized: existsSync(join(directory, 'PG_VERSION')),
});
process.stdout.write(`
PostgreSQL is ready. Its data is in ${directory}. Start any number of servers with it:

DATABASE_URL=${server.url} npm start
`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.stop());

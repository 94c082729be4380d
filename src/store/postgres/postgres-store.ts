import { Kysely, sql } from 'kysely';
import { Pool, type PoolConfig } from 'pg';
import type { Clock } from '../../lib/clock.ts';
import { randomId } from '../../lib/ids.ts';
import type { MinuteClock } from '../sql/creations/limit-uses.ts';
import { createCallbackLeases } from '../sql/outgoing/callback-leases.ts';
import { migrate } from '../sql/migrations/migrations.ts';
import { createInstances, type LeaseClock } from '../sql/instances/instances.ts';
import { createSqlStore } from '../sql/sql-store.ts';
import type { Tables } from '../sql/basics/tables.ts';
import type { RecordLimits, Store } from '../store.ts';
import { readConnectionUrl } from './connection-settings.ts';
import { createChangeTriggers } from './change-triggers.ts';
import { createEndTrigger } from './end-trigger.ts';
import { createPostgresDialect, lockMigrations } from './postgres-dialect.ts';
import { createPostgresWrites } from './postgres-writes.ts';
import { createQuickWrites } from './quick-writes.ts';
import { holdsLock } from './session-lock.ts';
import { createStatementNames } from './statement-names.ts';
import type { ConnectionPool } from './waiting-pool.ts';

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  readonly clock: Clock;
  /** Most connections. @default 10 */
  readonly poolSize?: number;
  /** Longest time of a statement, with its wait for a connection and for locks. @default 10000 */
  readonly timeoutMs?: number | undefined;
  /** An instance without its lock that does not renew its lease within this time is considered dead. @default 10000 */
  readonly leaseMs?: number;
  /** The time of leases. @default the clock of the database */
  readonly leaseClock?: LeaseClock;
  /** Measures the intervals of renewals, with pauses of the process. @default `performance.now` */
  readonly leaseTimer?: (() => number) | undefined;
  /** Decides when a minute of a limit ends. @default 'database' */
  readonly minuteClock?: MinuteClock | undefined;
  /** @default no limits */
  readonly recordLimits?: RecordLimits | undefined;
  /** Whether each connection has its own session, which can hold prepared statements. @default true */
  readonly hasSessions?: boolean;
  /** Whether the usual writes of a create are one statement each. @default true */
  readonly hasQuickWrites?: boolean;
  readonly createPool?: (config: PoolConfig) => ConnectionPool;
}

/**
 * PostgreSQL store, for any number of instances. Completed writes survive a crash of the database.
 * @throws if the database cannot be used
 */
export async function createPostgresStore({
  url,
  clock,
  poolSize = 10,
  timeoutMs = 10_000,
  leaseMs = 10_000,
  leaseClock = databaseClock,
  leaseTimer = () => performance.now(),
  minuteClock = 'database',
  recordLimits,
  hasSessions = true,
  hasQuickWrites = true,
  createPool = openPool,
}: PostgresStoreOptions): Promise<Store> {
  const connection = readConnectionUrl(url);
  const poolOf = (settings: PoolConfig): ConnectionPool =>
    createPool({ ...connection, connectionTimeoutMillis: timeoutMs, keepAlive: true, ...settings });
  const pool = poolOf({ max: poolSize });
  await prepare(pool);
  const stopping = new AbortController();
  const db = new Kysely<Tables>({
    dialect: createPostgresDialect(pool, {
      timeoutMs,
      signal: stopping.signal,
      statementNames: hasSessions ? createStatementNames() : undefined,
    }),
  });
  // A connection of its own, so that renewals do not wait for other statements. One that hangs is replaced while the lease is valid.
  const renewalMs = leaseMs / 2;
  const leasePool = poolOf({ max: 1, query_timeout: renewalMs, connectionTimeoutMillis: renewalMs });
  const leaseDb = new Kysely<Tables>({ dialect: createPostgresDialect(leasePool) });
  const close = async (): Promise<void> => {
    await Promise.all([db.destroy(), leaseDb.destroy()]);
  };
  try {
    const writes = createPostgresWrites(db, { timeoutMs, random: Math.random });
    const instanceId = randomId('instance');
    const shared = { reader: db, writes, clock, instanceId };
    const leaseWrites = createPostgresWrites(leaseDb, { timeoutMs: renewalMs, random: Math.random });
    const leasing = { ...shared, leaseWrites, leaseClock, leaseTimer };
    const instances = createInstances({
      ...leasing,
      leaseMs,
      sharesTime: minuteClock === 'database',
      leaseIntervals: {
        renewMs: leaseMs / 4,
        retryMs: Math.min(leaseMs / 20, 500),
        recoverMs: Math.min(leaseMs / 4, 1000),
      },
      holdsLock: sql.raw(holdsLock),
    });
    const store = createSqlStore({
      ...shared,
      ...(hasQuickWrites && {
        quickWrites: createQuickWrites({ ...shared, instances, recordLimits }),
      }),
      instances,
      callbackLeases: createCallbackLeases(leasing),
      probeWrite: instances.renewLease,
      recordLimits,
      minuteClock,
      stopWaiting: () => stopping.abort(),
      close,
    });
    await instances.renewLease();
    return store;
  } catch (error) {
    await close();
    throw error;
  }
}

/** Reads a database with one connection. Prepares nothing. */
export async function useOnce<Result>(
  { url, timeoutMs }: { readonly url: string; readonly timeoutMs: number },
  use: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const limits = { max: 1, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs };
  const pool = openPool({ ...readConnectionUrl(url), ...limits });
  const db = new Kysely<Tables>({ dialect: createPostgresDialect(pool) });
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

function openPool(config: PoolConfig): ConnectionPool {
  const pool = new Pool(config);
  // A connection that breaks leaves the pool. The next statement opens another one. Without listeners the process would end.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}

/** The time of the server, which all instances share: their own clocks may differ. */
function databaseClock() {
  return sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
}

/** Migrates and checks the database without a timeout, because migrations can take long. Closes the pool if it fails. */
async function prepare(pool: ConnectionPool): Promise<void> {
  const db = new Kysely<Tables>({ dialect: createPostgresDialect(pool) });
  try {
    const { rows } = await sql<Readonly<Record<string, string>>>`
      select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding,
        current_setting('synchronous_commit') as commits, current_setting('default_transaction_isolation') as isolation
    `.execute(db);
    const { version = '', encoding, commits, isolation } = rows[0] ?? {};
    if (Number(version) < minVersion) throw new Error('it is older than PostgreSQL 15');
    if (encoding !== 'UTF8') throw new Error(`its encoding is ${encoding}: create a database with UTF8`);
    if (commits === 'off')
      throw new Error('synchronous_commit is off, so a crash could lose acknowledged creates: turn it on');
    if (isolation !== 'read committed')
      throw new Error(
        `default_transaction_isolation is ${isolation}, so concurrent creates would fail: set it to "read committed" for this database and user`,
      );
    await db.transaction().execute(async (transaction) => {
      await lockMigrations(transaction);
      await migrate(transaction);
      await createChangeTriggers(transaction);
      await createEndTrigger(transaction);
    });
  } catch (error) {
    await pool.end();
    throw error;
  }
}

const minVersion = 150_000;

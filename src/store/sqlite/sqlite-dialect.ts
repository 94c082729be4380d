import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { StoreError } from '../../errors.ts';

/**
 * Kysely dialect for node:sqlite with one connection. Kysely's own mutex gives it to one query or transaction at a time,
 * because the adapter does not support multiple connections.
 */
export function createSqliteDialect(database: DatabaseSync): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => createDriver(database),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** SQLite supports transactional DDL. The stock adapter denies it, so Kysely would migrate outside a transaction. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createDriver(database: DatabaseSync): Driver {
  const connection = createConnection(database);
  const run = (sql: string): Promise<unknown> => connection.executeQuery(CompiledQuery.raw(sql));
  return {
    async init() {},
    acquireConnection: async () => connection,
    async releaseConnection() {},
    async beginTransaction(_connection, { accessMode }) {
      // A deferred transaction that reads before it writes fails if another process wrote in between.
      await run(accessMode === 'read only' ? 'begin' : 'begin immediate');
    },
    async commitTransaction() {
      await run('commit');
    },
    async rollbackTransaction() {
      if (database.isTransaction) await run('rollback');
    },
    async destroy() {
      database.close();
    },
  };
}

/** Size of the prepared-statement cache. There are few query shapes, but one per length of an id list. */
const maxStatements = 300;

function createConnection(database: DatabaseSync): DatabaseConnection {
  const statements = new LRUCache<string, { readonly statement: StatementSync; readonly isReader: boolean }>({
    max: maxStatements,
  });
  const prepare = (sql: string) => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    const prepared = { statement, isReader: statement.columns().length > 0 };
    statements.set(sql, prepared);
    return prepared;
  };
  const execute = <Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> => {
    const { statement, isReader } = prepare(sql);
    // Kysely's table types allow only text, numbers and null.
    const values = parameters as SQLInputValue[];
    // Kysely's table types match the rows.
    if (isReader) return { rows: statement.all(...values) as Row[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
  };
  return {
    executeQuery: (query) => retryWhileBusy(() => execute(query)),
    streamQuery() {
      throw new Error('streaming queries are not supported: read records in pages');
    },
  };
}

const maxWaitMs = 10_000;

/**
 * Retries while another connection holds the write lock, without blocking the event loop. SQLite's own busy timeout would
 * block every stream, and would deadlock if the other connection belongs to this process. Retrying is safe: a statement that
 * fails as busy has changed nothing.
 */
export async function retryWhileBusy<Result>(execute: () => Result): Promise<Result> {
  for (let waitedMs = 0; ;) {
    try {
      return execute();
    } catch (error) {
      if (!isBusy(error) || waitedMs >= maxWaitMs) throw toStoreError(error);
    }
    const delayMs = 1 + Math.min(20, waitedMs / 10);
    waitedMs += delayMs;
    await setTimeout(delayMs);
  }
}

/** SQLITE_BUSY, including its extended codes (https://sqlite.org/rescode.html#busy). */
export function isBusy(error: unknown): boolean {
  return resultCodeOf(error) === 5;
}

/** Result codes caused by the environment rather than by a statement (https://sqlite.org/rescode.html). */
const storeFailures: Readonly<Record<number, string>> = {
  5: 'another process holds the write lock',
  8: 'the database is read-only',
  10: 'disk I/O error',
  11: 'the database file is corrupt',
  13: 'the disk is full',
  14: 'the database file cannot be opened',
  26: 'the file is not a database',
};

/** Converts failures that an operator can fix. Defects are returned unchanged. */
function toStoreError(error: unknown): unknown {
  const reason = storeFailures[resultCodeOf(error) ?? 0];
  return reason === undefined
    ? error
    : new StoreError(`The record store is unavailable: ${reason}`, { cause: error });
}

/** The primary result code, without the extended bits. */
function resultCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode % 256
    : undefined;
}

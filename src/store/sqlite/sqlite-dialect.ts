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

/** Kysely over the SQLite that Node brings along: one connection, used by one query or transaction at a time. */
export function createSqliteDialect(database: DatabaseSync): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => createDriver(database),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** SQLite can roll back changes of tables; the stock adapter says no, and migrations would run outside a transaction. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createDriver(database: DatabaseSync): Driver {
  const connection = createConnection(database);
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const run = (sql: string): Promise<unknown> => connection.executeQuery(CompiledQuery.raw(sql));
  return {
    async init() {},
    async acquireConnection() {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
      return connection;
    },
    async releaseConnection() {
      const next = waiting.shift();
      // Handed over while still taken, so that nobody slips in between.
      if (next) next();
      else isTaken = false;
    },
    async beginTransaction(_connection, { accessMode }) {
      // One that reads first and then wants to write would fail where another process wrote in between.
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

/** Statements of a handful of shapes come again and again; lists of ids of every length make many more. */
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
    // The tables' types admit only text, numbers and null.
    const values = parameters as SQLInputValue[];
    // The tables' types are those of the rows.
    if (isReader) return { rows: statement.all(...values) as Row[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
  };
  return {
    executeQuery: (query) => whenFree(() => execute(query)),
    streamQuery() {
      throw new Error('records are read in pages, never as a stream');
    },
  };
}

const maxWaitMs = 10_000;

/**
 * Waits without blocking the event loop while another connection writes: SQLite's own waiting would stop every stream,
 * and for ever where the other connection belongs to this process. Only a statement that changed nothing is busy.
 */
export async function whenFree<Result>(execute: () => Result): Promise<Result> {
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

/** SQLITE_BUSY with whatever reason in its upper bits (https://sqlite.org/rescode.html#busy). */
export function isBusy(error: unknown): boolean {
  return resultCodeOf(error) === 5;
}

/** Result codes that tell of the place where records are, not of a statement (https://sqlite.org/rescode.html). */
const storeFailures: Readonly<Record<number, string>> = {
  5: 'another process writes and does not end',
  8: 'they are read-only',
  10: 'the disk refuses to read or write',
  11: 'their file is damaged',
  13: 'the disk is full',
  14: 'their file cannot be opened',
  26: 'their file is no database',
};

/** What an operator can mend gets a name; a defect stays what it is. */
function toStoreError(error: unknown): unknown {
  const reason = storeFailures[resultCodeOf(error) ?? 0];
  return reason === undefined
    ? error
    : new StoreError(`The records cannot be used: ${reason}`, { cause: error });
}

/** Without the reason in its upper bits. */
function resultCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode % 256
    : undefined;
}

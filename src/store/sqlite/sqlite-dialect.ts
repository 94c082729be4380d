import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  type SelectQueryNode,
  SqliteQueryCompiler,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import type { CompiledQueries, CompilingAdapter } from '../sql/shared/prepared-query.ts';
import { createLockWait, type LockWait, retryWhileBusy } from './lock-wait.ts';

/**
 * Kysely dialect for node:sqlite with one connection. Kysely's own mutex gives it to one query or transaction at a time,
 * because the adapter does not support multiple connections.
 */
export function createSqliteDialect(database: DatabaseSync, lockWait = createLockWait()): Dialect {
  return toDialect(database, createConnection(database, lockWait), () => new TransactionalAdapter());
}

/** A connection that its user holds, for a whole transaction if there is one. */
export interface HeldConnection {
  readonly dialect: Dialect;
  run(sql: string): Promise<unknown>;
}

/**
 * The same for a user that has the connection of `createSqliteDialect`. Nothing waits for it, so each statement skips most
 * layers of Kysely, which take longer than a small statement.
 */
export function createHeldConnection(database: DatabaseSync, lockWait: LockWait): HeldConnection {
  const connection = createConnection(database, lockWait);
  /** Of the few statements around each write. */
  const queries = new Map<string, CompiledQuery>();
  return {
    dialect: toDialect(database, connection, () => new HeldAdapter(connection)),
    run(sql) {
      const query = queries.get(sql) ?? CompiledQuery.raw(sql);
      queries.set(sql, query);
      return connection.executeQuery(query);
    },
  };
}

function toDialect(
  database: DatabaseSync,
  connection: DatabaseConnection,
  createAdapter: () => SqliteAdapter,
): Dialect {
  return {
    createAdapter,
    createDriver: () => createDriver(database, connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new LocklessCompiler(),
  };
}

/** SQLite supports transactional DDL. The stock adapter denies it, so Kysely would migrate outside a transaction. */
class TransactionalAdapter extends SqliteAdapter implements CompilingAdapter {
  readonly compiledQueries: CompiledQueries = new WeakMap();

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class HeldAdapter extends TransactionalAdapter {
  readonly heldConnection: DatabaseConnection;

  constructor(heldConnection: DatabaseConnection) {
    super();
    this.heldConnection = heldConnection;
  }
}

/** Omits row locks (`for update`): one transaction at a time writes. */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectQuery({ endModifiers: _locks, ...node }: SelectQueryNode): void {
    super.visitSelectQuery(node);
  }
}

function createDriver(database: DatabaseSync, connection: DatabaseConnection): Driver {
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

function createConnection(database: DatabaseSync, lockWait: LockWait): DatabaseConnection {
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
    executeQuery: (query) => retryWhileBusy(() => execute(query), lockWait),
    streamQuery() {
      throw new Error('streaming queries are not supported: read records in pages');
    },
  };
}

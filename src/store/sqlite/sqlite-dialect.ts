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
import type { CompiledQueries, CompilingAdapter } from '../sql/basics/prepared-query.ts';
import { createLockWait, type LockWait, retryWhileBusy } from './lock-wait.ts';

/**
 * Kysely dialect for node:sqlite with one connection. Kysely's own mutex gives it to one query or transaction at a time,
 * because the adapter does not support multiple connections.
 */
export function createSqliteDialect(database: DatabaseSync, lockWait = createLockWait()): Dialect {
  const connection = createConnection(database, lockWait);
  return {
    createAdapter: () => new TransactionalAdapter(),
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
    executeQuery: (query) => retryWhileBusy(() => execute(query), lockWait.createDeadline()),
    streamQuery() {
      throw new Error('streaming queries are not supported: read records in pages');
    },
  };
}

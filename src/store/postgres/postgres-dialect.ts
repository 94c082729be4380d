import {
  type ColumnDefinitionNode,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
} from 'kysely';
import { type CustomTypesConfig, type PoolClient, types } from 'pg';
import type { CompiledQueries, CompilingAdapter } from '../sql/basics/prepared-query.ts';
import type { Tables } from '../sql/basics/tables.ts';
import type { Deadline } from '../store.ts';
import { isAway, isNameError, isUnsent, keepsConnection, toRecordsUnavailable } from './postgres-errors.ts';
import type { StatementNames } from './statement-names.ts';
import { type ConnectionPool, createWaitingPool, type WaitingPool } from './waiting-pool.ts';

export interface PostgresDialectOptions {
  /**
   * Longest time of a statement, with its wait for a connection. While the database is away, statements wait for it.
   * @default the limits of the pool, and no such wait
   */
  readonly timeoutMs?: number;
  /** When it aborts, statements no longer wait for a database that is away. */
  readonly signal?: AbortSignal;
  /** Prepares statements. @default none, so that no session has a state: poolers may change it with each transaction */
  readonly statementNames?: StatementNames | undefined;
}

/** Kysely dialect for `pg`. */
export function createPostgresDialect(pool: ConnectionPool, options: PostgresDialectOptions = {}): Dialect {
  return {
    createAdapter: () => new TransactionAdapter(),
    createDriver: () => createDriver(createWaitingPool(pool, options.signal), options),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new BinaryTextCompiler(),
  };
}

/**
 * Leaves the lock of migrations to `lockMigrations`. The stock adapter locks the session, which a pooler in transaction mode
 * may share, and only after it has created the table of migrations.
 */
class TransactionAdapter extends PostgresAdapter implements CompilingAdapter {
  readonly compiledQueries: CompiledQueries = new WeakMap();

  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}

/** Any constant: the key of the advisory lock of migrations. */
const migrationLock = 7_023_111_015;

/** Waits for the migrations of other instances. The lock lasts until the transaction ends. */
export async function lockMigrations(transaction: Kysely<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(transaction);
}

/**
 * Creates text columns with the byte order, as in SQLite. The order of a language differs from the order in which the
 * program compares ids, and its indexes are slower.
 */
class BinaryTextCompiler extends PostgresQueryCompiler {
  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    const { dataType } = node;
    const isText = 'dataType' in dataType && dataType.dataType === 'text';
    super.visitColumnDefinition(isText ? { ...node, dataType: binaryText } : node);
  }
}

const binaryText = sql`text collate "C"`.toOperationNode();

interface PostgresConnection extends DatabaseConnection {
  /** Returns the connection to the pool, or closes it after an error that it may not survive. */
  release(): void;
}

function createDriver(pool: WaitingPool, { timeoutMs, statementNames }: PostgresDialectOptions): Driver {
  const run = (connection: DatabaseConnection, text: string): Promise<unknown> =>
    connection.executeQuery(CompiledQuery.raw(text));
  return {
    async init() {},
    async acquireConnection() {
      const deadline = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
      return createConnection(pool, {
        client: await pool.connect(deadline),
        timeoutMs,
        deadline,
        statementNames,
      });
    },
    /** Of `acquireConnection`. */
    async releaseConnection(connection: PostgresConnection) {
      connection.release();
    },
    async beginTransaction(connection, { accessMode, isolationLevel }) {
      const level = isolationLevel ? ` isolation level ${isolationLevel}` : '';
      await run(connection, `begin${level}${accessMode ? ` ${accessMode}` : ''}`);
    },
    async commitTransaction(connection) {
      await run(connection, 'commit');
    },
    async rollbackTransaction(connection) {
      // The connection is closed if this fails, which rolls back too.
      await run(connection, 'rollback').catch(() => {});
    },
    destroy: () => pool.end(),
  };
}

/** The tables hold no integer that JavaScript cannot represent. Sums are cast to text. */
const columnTypes: CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)),
};

interface Acquired {
  readonly client: PoolClient;
  readonly timeoutMs: number | undefined;
  /** Of the first statement. Its wait for the connection counts. */
  readonly deadline: Deadline | undefined;
  readonly statementNames: StatementNames | undefined;
}

function createConnection(
  pool: WaitingPool,
  { client: acquired, timeoutMs, deadline, statementNames }: Acquired,
): PostgresConnection {
  let client: PoolClient | undefined = acquired;
  let isBroken = false;
  let isFirst = true;
  const release = (): void => {
    client?.release(isBroken);
    client = undefined;
    isBroken = false;
  };
  let losses = 0;
  /** Frees the place of the lost connection in the pool for the next one. */
  const reconnect = async (error: unknown): Promise<void> => {
    release();
    losses += 1;
    client = await (losses === 1 ? pool.connect(deadline) : pool.connectAgain(deadline, error));
  };
  const run = async <Row>(query: CompiledQuery, name: string | undefined): Promise<QueryResult<Row>> => {
    if (!client) throw new Error('the connection is released');
    const remainingMs =
      isFirst && deadline !== undefined ? Math.max(1, Math.floor(deadline - performance.now())) : timeoutMs;
    const { rows, rowCount, command } = await client.query({
      text: query.sql,
      ...(name !== undefined && { name }),
      values: [...query.parameters],
      types: columnTypes,
      ...(remainingMs !== undefined && { query_timeout: remainingMs }),
    });
    const isWrite = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
    // Kysely's table types match the rows.
    return { rows, ...(isWrite && { numAffectedRows: BigInt(rowCount ?? 0) }) };
  };
  /** Whether a failed statement has changed nothing and can run again: it began outside a transaction. */
  const canRepeat = (error: unknown, query: CompiledQuery, name: string | undefined): boolean => {
    if (!isFirst) return false;
    if (name !== undefined && isNameError(error)) return true;
    const isLate = deadline === undefined || performance.now() >= deadline;
    return !isLate && isAway(error) && (isRepeatable(query) || isUnsent(error));
  };
  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      try {
        for (;;) {
          const name = statementNames?.find(query);
          try {
            return await run<Row>(query, name);
          } catch (error) {
            isBroken ||= !keepsConnection(error);
            if (name !== undefined && isNameError(error)) statementNames?.end();
            if (!canRepeat(error, query, name)) throw error;
            if (isBroken) await reconnect(error);
          }
        }
      } catch (error) {
        throw toRecordsUnavailable(error);
      } finally {
        isFirst = false;
      }
    },
    streamQuery() {
      throw new Error('streaming queries are not supported: read records in pages');
    },
    release,
  };
}

/** Whether a statement that begins on a new connection has changed nothing if its connection is lost. */
function isRepeatable({ query, sql: text }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || text.startsWith('begin');
}

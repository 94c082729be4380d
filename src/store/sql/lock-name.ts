import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Locks a name until the transaction ends, where no row exists yet that could be locked. Returns whether other transactions
 * may have written meanwhile: read again then. An engine with one connection runs one transaction at a time and needs no
 * locks. Call within a transaction.
 */
export async function lockName(db: Kysely<Tables>, name: readonly (string | number)[]): Promise<boolean> {
  if (!db.getExecutor().adapter.supportsMultipleConnections) return false;
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(name)}, 0))`.execute(db);
  return true;
}

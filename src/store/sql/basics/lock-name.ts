import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** Whether other transactions run meanwhile. An engine with one connection runs one at a time, and needs no locks. */
export function isConcurrent(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter.supportsMultipleConnections === true;
}

/**
 * Locks names in this order until the transaction ends, where no row exists yet that could be locked. Returns whether other
 * transactions may have written meanwhile: read again then. Call within a transaction.
 */
export async function lockNames(db: Kysely<Tables>, names: readonly LockedName[]): Promise<boolean> {
  if (names.length === 0 || !isConcurrent(db)) return false;
  const texts = names.map((name) => JSON.stringify(name));
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${texts}::text[]) as name`.execute(
    db,
  );
  return true;
}

type LockedName = readonly (string | number)[];

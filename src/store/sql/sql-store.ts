import type { Kysely } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../store.ts';
import { createAccessTokenRecords } from './access-tokens.ts';
import { createCreationRecords } from './creations.ts';
import { createExpiry } from './expiry.ts';
import { createGenerationRecords } from './generations.ts';
import { createInstanceRecords } from './instances.ts';
import { createSecrets } from './secrets.ts';
import type { Tables } from './tables.ts';
import { createTaskRecords } from './tasks.ts';

export interface SqlStoreOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** Names this process among those that share the records. */
  readonly instanceId: string;
  /** An instance that has not renewed its lease for this long counts as dead. */
  readonly leaseMs: number;
  /** Whether an instance is known to be dead before its lease runs out. */
  readonly isGone: (instanceId: string) => boolean;
  /** Runs a write that must survive the loss of power. */
  readonly durably: <Result>(write: (db: Kysely<Tables>) => Promise<Result>) => Promise<Result>;
}

/** Records in a relational database: the queries are those that every engine of ours understands. */
export function createSqlStore(options: SqlStoreOptions): Store {
  const { db } = options;
  const instances = createInstanceRecords(options);
  return {
    instanceId: options.instanceId,
    ...createSecrets(db),
    ...createCreationRecords(options),
    ...createGenerationRecords(options),
    ...createTaskRecords(db),
    ...createAccessTokenRecords(db),
    ...createExpiry(options),
    renewLease: instances.renewLease,
    recover: instances.recover,
    async isReady() {
      try {
        await db.selectFrom('secrets').select('name').limit(1).execute();
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      // What this instance leaves unfinished is for others to settle, at once.
      await instances.endLease().catch(() => {});
      await db.destroy();
    },
  };
}

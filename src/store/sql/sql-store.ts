import type { Kysely } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import { beforeSending } from '../before-sending.ts';
import type { Store } from '../store.ts';
import { createAccessTokenRecords } from './access-tokens.ts';
import { createCreationRecords } from './creations.ts';
import { createExpiry } from './expiry.ts';
import { createGenerationRecords } from './generations.ts';
import { createInstanceRecords } from './instances.ts';
import { createReadiness } from './readiness.ts';
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
  const creations = createCreationRecords(options);
  const secrets = createSecrets(db);
  const readiness = createReadiness(options, instances.renewLease);
  return {
    instanceId: options.instanceId,
    // Asked for before anything is sent: it goes into what a create is recognised by.
    secret: () => beforeSending(secrets.secret),
    ...creations,
    claim: (creation, generation) => beforeSending(() => creations.claim(creation, generation)),
    markSending: (creationId) => beforeSending(() => creations.markSending(creationId)),
    ...createGenerationRecords(options),
    ...createTaskRecords(db),
    ...createAccessTokenRecords(db),
    ...createExpiry(options),
    renewLease: instances.renewLease,
    recover: instances.recover,
    isReady: readiness.isReady,
    async close() {
      readiness.close();
      // What this instance leaves unfinished is for others to settle, at once.
      await instances.endLease().catch(() => {});
      await db.destroy();
    },
  };
}

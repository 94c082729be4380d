import type { Kysely } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import { beforeSending } from '../before-sending.ts';
import type { Store } from '../store.ts';
import { createAccessTokenRecords } from './access-tokens.ts';
import { createClonedVoiceRecords } from './cloned-voices.ts';
import { createCreationRecords } from './creations.ts';
import { createExpiry } from './expiry.ts';
import { createGenerationRecords } from './generations.ts';
import { createInstanceRecords } from './instances.ts';
import { createReadiness } from './readiness.ts';
import { createSecrets } from './secrets.ts';
import type { Tables } from './tables.ts';
import { createTaskRecords } from './tasks.ts';
import { createUsageTotals } from './usage-totals.ts';

export interface SqlStoreOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** Identifies this process among all that share the records. */
  readonly instanceId: string;
  /** An instance that does not renew its lease within this time is considered dead. */
  readonly leaseMs: number;
  /** Whether an instance is known to be dead, even if its lease has not expired. */
  readonly isInstanceDead: (instanceId: string) => boolean;
  /** Runs a write that must survive a power failure. */
  readonly writeDurably: <Result>(write: (db: Kysely<Tables>) => Promise<Result>) => Promise<Result>;
}

/** Store over a relational database. Uses only SQL that all supported engines understand. */
export function createSqlStore(options: SqlStoreOptions): Store {
  const { db } = options;
  const instances = createInstanceRecords(options);
  const creations = createCreationRecords(options);
  const secrets = createSecrets(db);
  const readiness = createReadiness(options, instances.renewLease);
  return {
    instanceId: options.instanceId,
    // Read before a create is sent: the secret keys its fingerprint.
    secret: () => beforeSending(secrets.secret),
    ...creations,
    claim: (creation, generation) => beforeSending(() => creations.claim(creation, generation)),
    markSending: (creationId) => beforeSending(() => creations.markSending(creationId)),
    ...createGenerationRecords(options),
    ...createUsageTotals(db),
    ...createTaskRecords(db),
    ...createAccessTokenRecords(db),
    ...createClonedVoiceRecords(db),
    ...createExpiry(options),
    renewLease: instances.renewLease,
    recover: instances.recover,
    isReady: readiness.isReady,
    async close() {
      readiness.close();
      // End the lease, so that other instances settle the unfinished work immediately.
      await instances.endLease().catch(() => {});
      await db.destroy();
    },
  };
}

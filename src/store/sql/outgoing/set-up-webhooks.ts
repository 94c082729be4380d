import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type { Store } from '../../store.ts';
import type { Database } from '../basics/database.ts';
import type { Instances } from '../instances/instances.ts';

export interface WebhookSetupOptions extends Database {
  readonly clock: Clock;
  readonly instanceId: string;
  /** Absent if one instance at a time uses the records. */
  readonly instances?: Pick<Instances, 'leaseClock'> | undefined;
}

export function createWebhookSetup(options: WebhookSetupOptions): Pick<Store, 'setUpWebhooks'> {
  const { reader, writes, clock, instanceId, instances } = options;
  return {
    async setUpWebhooks(setup) {
      const isOn = setup.operator.length > 0 || setup.forOwners;
      if (!isOn) {
        // Those of the operator also if they are disabled: a start without them ends that.
        const known = reader
          .selectFrom('webhooks')
          .select('id')
          .where((row) => row.or([row('is_active', '=', 1), row('owner', '=', '')]))
          .limit(1);
        if ((await known.execute()).length === 0) return undefined;
      }
      const { applySetup, deleteOrphans } = await import('./apply-setup.ts');
      await writes.transaction((db) => applySetup(db, setup, clock.now()));
      await deleteOrphans(options);
      if (!isOn) return undefined;
      const { createWebhookRecords } = await import('./create-webhook-records.ts');
      const now = (): RawBuilder<number> => instances?.leaseClock() ?? sql<number>`${clock.now()}`;
      return createWebhookRecords({ reader, writes, instanceId, isShared: instances !== undefined, now });
    },
  };
}

import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Clock } from './lib/clock.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Deployment } from './open-records.ts';
import type { ApiSchema } from './schema.ts';
import type { Store } from './store/store.ts';
import type { OperatorWebhook } from './webhooks/operator-webhooks.ts';
import type { Webhooks } from './webhooks/start-webhooks.ts';

/** The webhooks of the settings. @throws ConfigError */
export async function readWebhooks(
  config: Config,
  { createdKinds }: Pick<ApiSchema, 'createdKinds'>,
): Promise<readonly OperatorWebhook[]> {
  if (config.WEBHOOKS === undefined) return [];
  const { readOperatorWebhooks } = await import('./webhooks/operator-webhooks.ts');
  return readOperatorWebhooks(config, createdKinds);
}

interface WebhookParts extends Deployment {
  readonly operator: readonly OperatorWebhook[];
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics | undefined;
}

export interface OpenedWebhooks {
  /** The records to use from now on: their ends are delivered at once. */
  readonly records: Store;
  /** Absent if the settings name none, and allow owners none. */
  readonly webhooks: Webhooks | undefined;
}

/** Loads what delivers events only if there can be webhooks. Closes the connections if it fails. */
export async function openWebhooks(
  config: Config,
  { describeOutput }: Pick<ApiSchema, 'describeOutput'>,
  { records: store, exchange, operator, ...parts }: WebhookParts,
): Promise<OpenedWebhooks> {
  try {
    const forOwners = config.OWNER_WEBHOOKS === 'on';
    const records = await store.setUpWebhooks({ operator, forOwners });
    if (!records) return { records: store, webhooks: undefined };
    const { createWebhooks } = await import('./webhooks/start-webhooks.ts');
    const { wakeOnEnds } = await import('./webhooks/wake-on-ends.ts');
    const webhooks = createWebhooks({ ...parts, config, operator, records, store, describeOutput });
    return { records: wakeOnEnds(store, webhooks.wake), webhooks };
  } catch (error) {
    await exchange?.close();
    await store.close();
    throw error;
  }
}

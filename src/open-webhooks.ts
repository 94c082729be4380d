import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Clock } from './lib/clock.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Deployment } from './open-records.ts';
import type { ApiSchema } from './schema.ts';
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

/** Undefined if the settings name none, and allow owners none: then nothing of them is loaded. Closes the connections if it fails. */
export async function openWebhooks(
  config: Config,
  { describeOutput }: Pick<ApiSchema, 'describeOutput'>,
  { records: store, exchange, operator, ...parts }: WebhookParts,
): Promise<Webhooks | undefined> {
  try {
    const forOwners = config.OWNER_WEBHOOKS === 'on';
    const records = await store.setUpWebhooks({ operator, forOwners });
    if (!records) return undefined;
    const { createWebhooks } = await import('./webhooks/start-webhooks.ts');
    return createWebhooks({ ...parts, config, operator, records, store, describeOutput });
  } catch (error) {
    await exchange?.close();
    await store.close();
    throw error;
  }
}

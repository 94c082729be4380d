import type { Config } from '../config.ts';
import { withoutQuery } from '../lib/addresses.ts';
import type { Log } from '../lib/log.ts';
import type { OtelMetrics } from './otel-metrics.ts';
import { observeProcess } from './process-figures.ts';

/** Collects figures when the operator wants to read them or names a receiver. OpenTelemetry is loaded only then. */
export async function startMetrics(
  config: Config,
  { log, instanceId }: { readonly log: Log; readonly instanceId: string },
): Promise<OtelMetrics | undefined> {
  const pushUrl = config.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT;
  if (config.METRICS_PORT === undefined && !config.METRICS_ON_MAIN_PORT && pushUrl === undefined)
    return undefined;
  const url = pushUrl && withoutQuery(pushUrl);
  const { createOtelMetrics } = await import('./otel-metrics.ts');
  const metrics = createOtelMetrics({
    serviceName: config.OTEL_SERVICE_NAME,
    version: config.version,
    instanceId,
    pushUrl,
    onFailing: (err) => log.warn({ err, url }, 'could not send metrics; retrying'),
    onWorking: () => log.warn({ url }, 'sending metrics again'),
  });
  observeProcess(metrics);
  return metrics;
}

import type { Config } from '../config.ts';
import { withoutQuery } from '../lib/addresses.ts';
import type { Log } from '../lib/log.ts';
import type { Tracing } from './tracing.ts';

/** Sends spans when a receiver is configured. OpenTelemetry is loaded only then. */
export async function startTracing(
  config: Config,
  { log, instanceId }: { readonly log: Log; readonly instanceId: string },
): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: exact } = config;
  const url = exact ?? (base && `${base}/v1/traces`);
  if (url === undefined) return undefined;
  const shownUrl = withoutQuery(url);
  const { createOtlpTracing } = await import('./otlp-tracing.ts');
  return createOtlpTracing({
    url,
    serviceName: config.OTEL_SERVICE_NAME,
    version: config.version,
    instanceId,
    onFailing: (err) =>
      log.warn({ err, url: shownUrl }, 'could not send spans; dropping them until the receiver answers'),
    onWorking: () => log.warn({ url: shownUrl }, 'sending spans again'),
  });
}

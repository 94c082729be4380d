import { namesOf } from '../lib/members.ts';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  type IMetricReader,
  MeterProvider,
  PeriodicExportingMetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { createAttributeLimits } from './bounded-attributes.ts';
import { createReportingExporter, type ExportListeners } from '../tracing/reporting-exporter.ts';
import {
  type CounterName,
  type GaugeName,
  type HistogramName,
  type Instrument,
  type InstrumentName,
  instruments,
} from './instruments.ts';
import type { Attributes, Metrics } from './metrics.ts';

export interface OtelMetricsOptions extends ExportListeners {
  readonly serviceName: string;
  readonly version: string;
  readonly instanceId: string;
  /** OTLP metrics endpoint, e.g. `http://localhost:4318/v1/metrics`. Undefined pushes nothing. */
  readonly pushUrl: string | undefined;
}

export interface OtelMetrics extends Metrics {
  /** Returns all figures as Prometheus text. */
  read(): Promise<string>;
}

/** Collects figures for Prometheus and, if a receiver is named, sends them by OTLP. Imported only if configured. */
export function createOtelMetrics(options: OtelMetricsOptions): OtelMetrics {
  // Its server is not started.
  const prometheus = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer('', false, undefined, false, true);
  const readers: IMetricReader[] = [prometheus];
  /** Gauges that could not be read. OpenTelemetry would repeat their last values. */
  const absent = new Set<string>();
  const withoutAbsent = (figures: ResourceMetrics): ResourceMetrics => ({
    ...figures,
    scopeMetrics: figures.scopeMetrics.map(({ scope, metrics }) => ({
      scope,
      metrics: metrics.filter(({ descriptor }) => !absent.has(descriptor.name)),
    })),
  });
  if (options.pushUrl !== undefined) {
    const exporter = createReportingExporter(new OTLPMetricExporter({ url: options.pushUrl }), options);
    readers.push(
      new PeriodicExportingMetricReader({
        exporter: { ...exporter, export: (figures, done) => exporter.export(withoutAbsent(figures), done) },
      }),
    );
  }
  const provider = new MeterProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': options.version,
      'service.instance.id': options.instanceId,
    }),
    readers,
  });
  const meter = provider.getMeter('gengraph', options.version);
  const toOptions = ({ unit, description, buckets }: Instrument) => ({
    unit,
    description,
    ...(buckets && { advice: { explicitBucketBoundaries: [...buckets] } }),
  });
  const create = <Created>(kind: Instrument['kind'], make: (name: InstrumentName) => Created) =>
    new Map<InstrumentName, Created>(
      namesOf(instruments)
        .filter((name) => instruments[name].kind === kind)
        .map((name) => [name, make(name)]),
    );
  const histograms = create('histogram', (name) => meter.createHistogram(name, toOptions(instruments[name])));
  const counters = create('counter', (name) => meter.createCounter(name, toOptions(instruments[name])));
  // A counter that begins with its first event has no increase that Prometheus can see.
  for (const [name, counter] of counters) if (instruments[name].attributes.length === 0) counter.add(0);
  const gauges = create('gauge', (name) => meter.createObservableGauge(name, toOptions(instruments[name])));
  const limitAttributes = createAttributeLimits();
  const limited = (attributes: Attributes = {}) => limitAttributes(attributes);
  return {
    record: (name: HistogramName, value: number, attributes?: Attributes) =>
      histograms.get(name)?.record(value, limited(attributes)),
    add: (name: CounterName, value = 1, attributes?: Attributes) =>
      counters.get(name)?.add(value, limited(attributes)),
    observe(name: GaugeName, read: () => number | Promise<number>) {
      gauges.get(name)?.addCallback(async (result) => {
        let value = Number.NaN;
        try {
          value = await read();
        } finally {
          if (Number.isFinite(value)) absent.delete(name);
          else absent.add(name);
        }
        if (Number.isFinite(value)) result.observe(value);
      });
    },
    read: async () => serializer.serialize(withoutAbsent((await prometheus.collect()).resourceMetrics)),
    close: () => provider.shutdown(),
  };
}

import { context, SpanKind, SpanStatusCode, trace as traces, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, RandomIdGenerator } from '@opentelemetry/sdk-trace-base';
import type { TraceContext } from '../lib/trace-context.ts';
import { type ExportListeners, createReportingExporter } from './reporting-exporter.ts';
import type { Span, Tracing } from './tracing.ts';

export interface OtlpTracingOptions extends ExportListeners {
  /** OTLP traces endpoint, e.g. `http://localhost:4318/v1/traces`. */
  readonly url: string;
  readonly serviceName: string;
  readonly version: string;
  /** As in the metrics. */
  readonly instanceId: string;
}

/**
 * Exports spans by OTLP over HTTP. Imported only if configured. OpenTelemetry's own variables set headers, sampling,
 * batching and limits (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
 */
export function createOtlpTracing(options: OtlpTracingOptions): Tracing {
  const { url, serviceName, version, instanceId } = options;
  const ids = new RandomIdGenerator();
  /** The id of the span that is being started. */
  let reservedId: string | undefined;
  const provider = new BasicTracerProvider({
    idGenerator: {
      generateTraceId: () => ids.generateTraceId(),
      generateSpanId: () => reservedId ?? ids.generateSpanId(),
    },
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version,
      'service.instance.id': instanceId,
    }),
    spanProcessors: [
      new BatchSpanProcessor(createReportingExporter(new OTLPTraceExporter({ url }), options)),
    ],
  });
  const tracer = provider.getTracer('gengraph', version);
  const root = context.active();
  return {
    start({ name, kind, parent, reserved, facts, startedMsAgo }) {
      const parentContext = parent ? traces.setSpanContext(root, toSpanContext(parent)) : root;
      reservedId = reserved && toSpanContext(reserved).spanId;
      const span = tracer.startSpan(
        name,
        {
          kind: kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT,
          attributes: { ...facts },
          ...(startedMsAgo !== undefined && { startTime: Date.now() - startedMsAgo }),
        },
        parentContext,
      );
      reservedId = undefined;
      return toSpan(span, parent);
    },
    reserve({ traceparent, tracestate }) {
      const [version, traceId, , flags] = traceparent.split('-');
      return { traceparent: [version, traceId, ids.generateSpanId(), flags].join('-'), tracestate };
    },
    close: () => provider.shutdown(),
  };
}

function toSpan(
  span: ReturnType<ReturnType<typeof traces.getTracer>['startSpan']>,
  parent: TraceContext | undefined,
): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const startedAt = Date.now();
  const flags = traceFlags.toString(16).padStart(2, '0');
  return {
    trace: { traceparent: `00-${traceId}-${spanId}-${flags}`, tracestate: parent?.tracestate },
    link: (trace) => void span.addLink({ context: toSpanContext(trace) }),
    set: (facts) => void span.setAttributes({ ...facts }),
    end({ facts, error, events = [] } = {}) {
      for (const { name, afterMs } of events) span.addEvent(name, startedAt + afterMs);
      if (facts) span.setAttributes({ ...facts });
      if (error !== undefined)
        span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function toSpanContext({ traceparent }: TraceContext) {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return { traceId, spanId, traceFlags, isRemote: true };
}

/** Structural copy of OpenTelemetry's SpanExporter, so that this file does not load OpenTelemetry. */
export interface Exporter<Spans> {
  export(spans: Spans, done: (result: ExportResult) => void): void;
  shutdown(): Promise<void>;
  forceFlush?(): Promise<void>;
}

interface ExportResult {
  /** 0 means success. */
  readonly code: number;
  readonly error?: Error;
}

export interface ExportListeners {
  /** Exports start to fail. */
  readonly onFailing: (error: Error | undefined) => void;
  /** Exports succeed again. */
  readonly onWorking: () => void;
}

/** Wraps an exporter and reports each change between working and failing once, not once per batch. */
export function createReportingExporter<Spans>(
  exporter: Exporter<Spans>,
  { onFailing, onWorking }: ExportListeners,
): Required<Exporter<Spans>> {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== 0;
        if (hasFailed && !isFailing) onFailing(result.error);
        if (!hasFailed && isFailing) onWorking();
        isFailing = hasFailed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

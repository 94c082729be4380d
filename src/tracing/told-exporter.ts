/** As OpenTelemetry's exporters are, which this file does not load. */
export interface Exporter<Spans> {
  export(spans: Spans, done: (result: ExportResult) => void): void;
  shutdown(): Promise<void>;
  forceFlush?(): Promise<void>;
}

interface ExportResult {
  /** 0 where the receiver took them. */
  readonly code: number;
  readonly error?: Error;
}

export interface ExportReports {
  /** The receiver takes no spans any more. */
  readonly onFailing: (error: Error | undefined) => void;
  /** It takes them again. */
  readonly onWorking: () => void;
}

/** An exporter that says when it begins to fail, and when it works again: once each, not for every batch. */
export function toldExporter<Spans>(
  exporter: Exporter<Spans>,
  { onFailing, onWorking }: ExportReports,
): Exporter<Spans> {
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

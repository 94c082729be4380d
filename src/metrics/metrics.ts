import type { CounterName, GaugeName, HistogramName } from './instruments.ts';

/**
 * Attributes of a measurement. Undefined ones are left out. Must not contain prompts, credentials or ids. Clients choose some
 * values, such as models: those beyond a limit are `_OTHER`.
 */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Collects the figures of this process. Present only if the operator asks for them. */
export interface Metrics {
  /** Records a measurement in the unit of the instrument: durations in seconds. */
  record(name: HistogramName, value: number, attributes?: Attributes): void;
  add(name: CounterName, value?: number, attributes?: Attributes): void;
  /** Reads the value whenever the figures are collected. */
  observe(name: GaugeName, read: () => number | Promise<number>): void;
  /** Sends the last figures. */
  close(): Promise<void>;
}

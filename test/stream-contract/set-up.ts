/** Settings of the server that cases depend on, in seconds. Undefined keeps the server's default. */
export interface Settings {
  /** How long a stream without a key runs without watchers. */
  readonly detachSeconds?: number;
  /** How long the deltas of an ended stream can be followed. */
  readonly logSeconds?: number;
  /** The longest silence of the gateway within a reply. */
  readonly stallSeconds?: number;
  /** Where events may be posted. */
  readonly callbackUrl?: string;
}

/** A fault that begins and ends. */
export interface Outage {
  begin(): Promise<void>;
  end(): Promise<void>;
}

export const faultNames = ['kill', 'pause', 'clock step', 'disk full', 'database gone', 'cut off'] as const;
export type FaultName = (typeof faultNames)[number];

/** Where a server listens. */
export interface Location {
  /** Of GraphQL over HTTP. */
  readonly url: string;
  /** Of GraphQL over WebSocket. */
  readonly socketUrl: string;
}

/** A running server. The suite knows nothing else of it. */
export interface Endpoint extends Location {
  /** The instances behind the address, if there are several. */
  readonly instances?: readonly Location[];
  /**
   * The faults that the set-up can cause. After a `kill`, the server starts again with the same records and address. `cut off`
   * takes the records away from the first of the instances.
   */
  readonly outages: Partial<Record<Exclude<FaultName, 'clock step'>, Outage>>;
  /** Sets the system time of the server forward or back. */
  stepClock?(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** Cases that a set-up does not run, by a pattern of `section: name`. */
export interface Exclusion {
  readonly pattern: RegExp;
  readonly reason: string;
}

/** A way to run the product. Every set-up runs the same cases. */
export interface SetUp {
  readonly name: string;
  /** The faults that its endpoints can cause. Cases that need another one are reported as skipped. */
  readonly faults: readonly FaultName[];
  readonly exclusions?: readonly Exclusion[];
  start(options: { readonly gatewayUrl: string; readonly settings: Settings }): Promise<Endpoint>;
}

/** Deltas beyond this many are evicted, oldest first. A watcher that needs them gets a snapshot. */
export const maxLogLength = 100_000;

/** How deltas of one kind of stream add up to its state. Pure functions: state and deltas are immutable. */
export interface StreamShape<State, Delta> {
  readonly initial: State;
  apply(state: State, delta: Delta): State;
  /** One delta with the effect of several, in order. */
  merge(deltas: readonly Delta[]): Delta;
  createLog(maxLength: number): StreamLog<State, Delta>;
}

/** Consecutive deltas that only append text, all in the same place. */
export interface TextRun<Delta> {
  /** One per delta. */
  readonly texts: readonly string[];
  /** One delta with the effect of all. */
  readonly merged: Delta;
}

/** The recent deltas of a stream, for watchers that resume after a sequence. */
export interface StreamLog<State, Delta> {
  /** Appends the next delta; `before` is the state before it. Evicts the oldest deltas beyond the log's length. */
  append(delta: Delta, before: State): void;
  /** Appends a run in one step. Returns false without a change if a delta must be evicted. `before` is the state before it. */
  appendRun?(run: TextRun<Delta>, before: State): boolean;
  /**
   * One delta with the effect of all deltas after `sequence`, which must not be beyond the last. `state` is current.
   * Undefined when the log no longer holds those deltas.
   */
  since(sequence: number, state: State): Delta | undefined;
}

export type ProgressEvent<State, Delta> =
  | { readonly type: 'snapshot'; readonly sequence: number; readonly state: State }
  | {
      readonly type: 'delta';
      readonly fromSequence: number;
      readonly sequence: number;
      readonly delta: Delta;
      readonly state: State;
    };

/** An event for a watcher: snapshots and deltas, then exactly one end. `state` includes all deltas through `sequence`. */
export type StreamEvent<State, Delta, End> =
  | ProgressEvent<State, Delta>
  | { readonly type: 'end'; readonly sequence: number; readonly end: End; readonly state: State };

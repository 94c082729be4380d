/** How one kind of stream adds up. Pure functions: state and deltas are never changed in place. */
export interface StreamShape<State, Delta> {
  readonly initial: State;
  apply(state: State, delta: Delta): State;
  /** One delta with the effect of several, in order. */
  merge(deltas: readonly Delta[]): Delta;
  createLog(maxLength: number): StreamLog<State, Delta>;
}

/** What each delta of a stream added: for watchers that hold everything through some sequence. */
export interface StreamLog<State, Delta> {
  /** The next delta, and the state before it. Beyond the log's length the oldest are let go. */
  append(delta: Delta, before: State): void;
  /**
   * One delta with the effect of all after this sequence, which is at most that of the last; `state` is the stream's now.
   * Undefined where the log does not reach back so far.
   */
  since(sequence: number, state: State): Delta | undefined;
}

/** What a watcher sees: a snapshot or deltas, then exactly one end. `state` is the whole up to `sequence`. */
export type StreamEvent<State, Delta, End> =
  | { readonly type: 'snapshot'; readonly sequence: number; readonly state: State }
  | {
      readonly type: 'delta';
      readonly fromSequence: number;
      readonly sequence: number;
      readonly delta: Delta;
      readonly state: State;
    }
  | { readonly type: 'end'; readonly sequence: number; readonly end: End; readonly state: State };

/** How one kind of stream adds up. Pure functions: state and deltas are never changed in place. */
export interface StreamShape<State, Delta> {
  readonly initial: State;
  apply(state: State, delta: Delta): State;
  /** One delta with the effect of several, in order. */
  merge(deltas: readonly Delta[]): Delta;
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

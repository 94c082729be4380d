import { sizeOfValue } from '../../lib/json-size.ts';
import type { StreamLog, StreamShape } from '../shape.ts';

/** The log of a stream of another instance. Starts at any sequence. */
export interface ReplicaLog<State, Delta> extends StreamLog<State, Delta> {
  /** Forgets the deltas up to this sequence. */
  startAt(sequence: number): void;
  /** Continues after deltas that came as one. `state` is the state before them. */
  skip(missed: Missed<Delta>, state: State): void;
  /** Also holds the deltas after `sequence` up to where the log starts or stands, as one delta. */
  addMissed(missed: Missed<Delta>): void;
}

/** The deltas after `after` through `through`, as one delta. */
export interface Missed<Delta> {
  readonly after: number;
  readonly through: number;
  readonly delta: Delta;
}

/** A part of the log before deltas that came as one. */
interface Earlier<State, Delta> {
  readonly start: number;
  readonly log: StreamLog<State, Delta>;
  /** The state at its end. */
  readonly state: State;
  readonly next: Missed<Delta>;
}

/** Watchers take what they missed at once. This many may wait for a replica at the same time. */
const maxMissed = 100;
/** Of what they missed. Older parts are dropped, and a watcher that has not taken its part gets a snapshot. */
const maxMissedChars = 16_000_000;
/** A part begins when messages were lost, which is rare. */
const maxEarlier = 10;

export function createReplicaLog<State, Delta>(
  shape: StreamShape<State, Delta>,
  maxLength: number,
): ReplicaLog<State, Delta> {
  let log = shape.createLog(maxLength);
  let start = 0;
  let earlier: readonly Earlier<State, Delta>[] = [];
  let missed: readonly (Missed<Delta> & { readonly chars: number })[] = [];

  const begin = (sequence: number): void => {
    log = shape.createLog(maxLength);
    start = sequence;
    missed = missed.filter(({ through }) => through >= sequence);
  };
  const mergeKnown = (deltas: readonly (Delta | undefined)[]): Delta | undefined => {
    const known = deltas.filter((delta) => delta !== undefined);
    return known.length === deltas.length ? shape.merge(known) : undefined;
  };
  const sinceEarlier = (sequence: number, state: State): Delta | undefined => {
    const index = earlier.findLastIndex((part) => part.start <= sequence);
    const [part, ...later] = index === -1 ? [] : earlier.slice(index);
    if (!part || sequence > part.next.after) return undefined;
    return mergeKnown([
      part.log.since(sequence - part.start, part.state),
      part.next.delta,
      ...later.flatMap((each) => [each.log.since(0, each.state), each.next.delta]),
      log.since(0, state),
    ]);
  };

  return {
    append: (delta, before) => log.append(delta, before),
    since(sequence, state) {
      if (sequence >= start) return log.since(sequence - start, state);
      const known = missed.find(({ after }) => after === sequence);
      if (!known || known.through < start) return sinceEarlier(sequence, state);
      return mergeKnown([known.delta, log.since(known.through - start, state)]);
    },
    startAt(sequence) {
      earlier = [];
      begin(sequence);
    },
    skip(next, state) {
      earlier = [...earlier.slice(1 - maxEarlier), { start, log, state, next }];
      begin(next.through);
    },
    addMissed(added) {
      const chars = sizeOfValue(added.delta, maxMissedChars);
      missed = [...missed.slice(1 - maxMissed), { ...added, chars }];
      let held = missed.reduce((sum, part) => sum + part.chars, 0);
      while (held > maxMissedChars && missed.length > 1) {
        held -= missed[0]?.chars ?? 0;
        missed = missed.slice(1);
      }
    },
  };
}

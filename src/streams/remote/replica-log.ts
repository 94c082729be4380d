import type { StreamLog, StreamShape } from '../shape.ts';

/** The log of a stream of another instance. Starts at any sequence. */
export interface ReplicaLog<State, Delta> extends StreamLog<State, Delta> {
  /** Forgets the deltas up to this sequence. */
  startAt(sequence: number): void;
  /** Also holds the deltas after `sequence` up to where the log starts or stands, as one delta. */
  addMissed(missed: Missed<Delta>): void;
}

interface Missed<Delta> {
  readonly after: number;
  readonly through: number;
  readonly delta: Delta;
}

/** Watchers take what they missed at once. This many may wait for a replica at the same time. */
const maxMissed = 100;

export function createReplicaLog<State, Delta>(
  shape: StreamShape<State, Delta>,
  maxLength: number,
): ReplicaLog<State, Delta> {
  let log = shape.createLog(maxLength);
  let start = 0;
  let missed: readonly Missed<Delta>[] = [];
  return {
    append: (delta, before) => log.append(delta, before),
    since(sequence, state) {
      if (sequence >= start) return log.since(sequence - start, state);
      const known = missed.find(({ after }) => after === sequence);
      const later = known && known.through >= start ? log.since(known.through - start, state) : undefined;
      return known && later !== undefined ? shape.merge([known.delta, later]) : undefined;
    },
    startAt(sequence) {
      log = shape.createLog(maxLength);
      start = sequence;
      missed = missed.filter(({ through }) => through >= sequence);
    },
    addMissed(added) {
      missed = [...missed.slice(1 - maxMissed), added];
    },
  };
}

import type { StreamLog } from './shape.ts';

/** A log that keeps its deltas as they are: for streams of few events. */
export function createDeltaLog<State, Delta>(
  maxLength: number,
  merge: (deltas: readonly Delta[]) => Delta,
): StreamLog<State, Delta> {
  let deltas: Delta[] = [];
  /** How many were let go. */
  let gone = 0;
  return {
    append(delta) {
      deltas.push(delta);
      if (deltas.length <= maxLength) return;
      // Half at a time, so that the cost of moving the rest is spread over many appends.
      const kept = deltas.slice(-Math.ceil(maxLength / 2));
      gone += deltas.length - kept.length;
      deltas = kept;
    },
    since: (sequence) => (sequence < gone ? undefined : merge(deltas.slice(sequence - gone))),
  };
}

import type { StreamLog } from './shape.ts';

/** A log that stores complete deltas, for streams with few events. */
export function createDeltaLog<State, Delta>(
  maxLength: number,
  merge: (deltas: readonly Delta[]) => Delta,
): StreamLog<State, Delta> {
  let deltas: Delta[] = [];
  let evicted = 0;
  return {
    append(delta) {
      deltas.push(delta);
      if (deltas.length <= maxLength) return;
      // Evicts half at a time, so that the cost of copying the rest is amortized over many appends.
      const kept = deltas.slice(-Math.ceil(maxLength / 2));
      evicted += deltas.length - kept.length;
      deltas = kept;
    },
    since: (sequence) => (sequence < evicted ? undefined : merge(deltas.slice(sequence - evicted))),
  };
}

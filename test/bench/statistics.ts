/** Quantile of sorted values. NaN if there are none. */
export function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((left, right) => left - right),
    0.5,
  );
}

/** Median and quartiles: half of the rounds lie between `low` and `high`. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((left, right) => left - right);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

/** Compares paired measurements per round. @default the ratio of value to base */
export function spreadOfPairs(
  values: readonly number[],
  bases: readonly number[],
  combine: (value: number, base: number) => number = (value, base) => value / base,
): Spread {
  return spreadOf(
    values.flatMap((value, round) => {
      const base = bases[round];
      return base === undefined ? [] : [combine(value, base)];
    }),
  );
}

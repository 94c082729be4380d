/** Targets of a row: `must` is the least, `aim` is the goal of the project. */
export interface Goal {
  readonly value: number;
  readonly must: number;
  readonly aim?: number | undefined;
  readonly measure: Measure;
}

/** What a goal compares: a ratio to the floor, a ratio to plain Yoga, a delay added to the floor, or a value in the unit of the row. */
export type Measure = 'ratio' | 'yoga-ratio' | 'added' | 'value' | 'rate';

export function isMet({ value, must, measure }: Goal): boolean {
  return measure === 'rate' ? value >= must : value <= must;
}

/** The value divided by the aim, or the aim divided by a rate: 1 or less means that the aim is reached. */
export function distanceToAim({ value, aim, measure }: Goal): number | undefined {
  if (aim === undefined) return undefined;
  return measure === 'rate' ? aim / value : value / aim;
}

/** For example `≤ 1.9 ×` or `≥ 16000 tokens/s`. */
export function describeTarget(target: number, measure: Measure, unit: string): string {
  switch (measure) {
    case 'ratio':
      return `≤ ${target} ×`;
    case 'yoga-ratio':
      return `≤ ${target} × Yoga`;
    case 'added':
      return `≤ +${target} ${unit}`;
    case 'value':
      return `≤ ${target} ${unit}`;
    case 'rate':
      return `≥ ${target} ${unit}`;
    default:
      return measure satisfies never;
  }
}

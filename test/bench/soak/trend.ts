/** A figure of the server process, sampled at regular intervals. */
export interface Series {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
  /** Largest growth over the second half of the run that counts as flat. */
  readonly maxGrowth: number;
}

export interface Trend extends Series {
  /** Mean of the second half. */
  readonly mean: number;
  /** Growth over the second half, along the regression line. */
  readonly growth: number;
  readonly isFlat: boolean;
}

/** The first half of a run warms up caches, compilers and pools. */
export function trendOf(series: Series): Trend {
  const values = series.values.slice(Math.floor(series.values.length / 2));
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let products = 0;
  let squares = 0;
  for (const [index, value] of values.entries()) {
    products += (index - middle) * (value - mean);
    squares += (index - middle) ** 2;
  }
  const growth = squares === 0 ? 0 : (products / squares) * (values.length - 1);
  return { ...series, mean, growth, isFlat: values.length > 0 && growth <= series.maxGrowth };
}

export function toTrendTable(trends: readonly Trend[]): string {
  const rows = trends.map(({ name, unit, values, mean, growth, maxGrowth, isFlat }) => [
    name,
    `${format(values[0])} ${unit}`,
    `${format(mean)} ${unit}`,
    `${format(growth)} ${unit}`,
    `${format(maxGrowth)} ${unit}`,
    isFlat ? 'flat' : 'GROWS',
  ]);
  const lines = [['figure', 'first', 'mean of 2nd half', 'growth', 'bound', 'trend'], ...rows];
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0))) ?? [];
  return lines
    .map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n');
}

function format(value = Number.NaN): string {
  return value.toFixed(1);
}

import { cpus, loadavg, release, totalmem } from 'node:os';
import type { Row } from './harness.ts';
import { canPin } from './processors.ts';
import type { Spread } from './statistics.ts';

const heading: readonly string[] = [
  'work',
  'floor',
  'gengraph',
  'ratio',
  'middle half',
  'budget',
  'met',
  'plain Yoga',
  'its ratio',
  'rounds',
  'others',
  'note',
];

/** A table for people. */
export function toTable(rows: readonly Row[]): string {
  const lines = [heading, ...rows.map(toCells)];
  const widths = heading.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) =>
          column === 0 || column === heading.length - 1
            ? cell.padEnd(widths[column] ?? 0)
            : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function toCells(row: Row): readonly string[] {
  const value = (number: number | undefined): string =>
    number === undefined ? '' : `${number.toFixed(number < 100 ? 1 : 0)} ${row.unit}`;
  return [
    row.work,
    value(row.floor),
    value(row.gengraph),
    row.ratio?.median.toFixed(2) ?? '',
    row.ratio && row.rounds.kept > 1 ? `${row.ratio.low.toFixed(2)}–${row.ratio.high.toFixed(2)}` : '',
    row.budget?.text ?? '',
    row.budget === undefined ? '' : row.budget.isMet ? 'yes' : 'no',
    value(row.plainYoga),
    row.plainRatio?.median.toFixed(2) ?? '',
    `${row.rounds.kept} of ${row.rounds.run}`,
    row.rounds.foreignShare === undefined ? '' : `${(row.rounds.foreignShare * 100).toFixed(0)} %`,
    row.note ?? '',
  ];
}

/** One line for machines. */
export function toJsonLine(
  rows: readonly Row[],
  options: { readonly isQuick: boolean; readonly isProfiled: boolean },
): string {
  return JSON.stringify(
    {
      machine: {
        cpu: cpus()[0]?.model,
        cores: cpus().length,
        memoryGb: Math.round(totalmem() / 2 ** 30),
        kernel: release(),
        node: process.version,
        load: loadavg()[0],
        isPinned: canPin,
      },
      ...options,
      rows: rows.map((row) => ({
        ...row,
        ratio: row.ratio && round(row.ratio),
        plainRatio: row.plainRatio && round(row.plainRatio),
      })),
    },
    (_key, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value),
  );
}

function round({ median, low, high }: Spread): readonly number[] {
  return [median, low, high];
}

import { cpus, loadavg, release, totalmem } from 'node:os';
import { describeTarget, distanceToAim, isMet } from './goals.ts';
import type { Row } from './harness.ts';
import { canPin } from './processors.ts';
import type { Spread } from './statistics.ts';

interface Column {
  readonly title: string;
  readonly cell: (row: Row) => string;
  /** Shown only if two versions of Gengraph are compared. */
  readonly isOfBefore?: boolean;
}

const columns: readonly Column[] = [
  { title: 'work', cell: ({ work }) => work },
  { title: 'floor', cell: ({ unit, floor }) => toValue(floor, unit) },
  { title: 'before', cell: ({ unit, before }) => toValue(before?.value, unit), isOfBefore: true },
  { title: 'before ratio', cell: ({ before }) => toMedian(before?.ratio), isOfBefore: true },
  { title: 'gengraph', cell: ({ unit, gengraph }) => toValue(gengraph, unit) },
  { title: 'ratio', cell: ({ ratio }) => toMedian(ratio) },
  { title: 'quartiles', cell: ({ ratio, rounds }) => toQuartiles(ratio, rounds) },
  { title: 'vs before', cell: ({ before }) => toMedian(before?.change), isOfBefore: true },
  {
    title: 'quartiles',
    cell: ({ before, rounds }) => toQuartiles(before?.change, rounds),
    isOfBefore: true,
  },
  { title: 'must', cell: (row) => toTarget(row, row.goal?.must) },
  { title: 'met', cell: ({ goal }) => (goal === undefined ? '' : isMet(goal) ? 'yes' : 'no') },
  { title: 'aim', cell: (row) => toTarget(row, row.goal?.aim) },
  { title: 'of aim', cell: ({ goal }) => toDistance(goal && distanceToAim(goal)) },
  { title: 'plain Yoga', cell: ({ unit, plainYoga }) => toValue(plainYoga, unit) },
  { title: 'Yoga ratio', cell: ({ plainRatio }) => toMedian(plainRatio) },
  { title: 'rounds', cell: ({ rounds }) => `${rounds.kept} of ${rounds.run}` },
  { title: 'other load', cell: ({ rounds }) => toPercent(rounds.foreignShare) },
  { title: 'note', cell: ({ note }) => note ?? '' },
];

/** The printed table. */
export function toTable(rows: readonly Row[]): string {
  const isCompared = rows.some(({ before }) => before !== undefined);
  const shown = columns.filter(({ isOfBefore = false }) => isCompared || !isOfBefore);
  const lines = [shown.map(({ title }) => title), ...rows.map((row) => shown.map(({ cell }) => cell(row)))];
  const widths = shown.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) =>
          column === 0 || column === shown.length - 1
            ? cell.padEnd(widths[column] ?? 0)
            : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function toValue(value: number | undefined, unit: Row['unit']): string {
  return value === undefined ? '' : `${value.toFixed(value < 100 ? 1 : 0)} ${unit}`;
}

function toTarget({ goal, unit }: Row, target: number | undefined): string {
  return goal === undefined || target === undefined ? '' : describeTarget(target, goal.measure, unit);
}

function toDistance(distance: number | undefined): string {
  if (distance === undefined) return '';
  return distance <= 1 ? 'reached' : `${distance.toFixed(2)} ×`;
}

function toMedian(spread: Spread | undefined): string {
  return spread?.median.toFixed(2) ?? '';
}

function toQuartiles(spread: Spread | undefined, { kept }: Row['rounds']): string {
  return spread && kept > 1 ? `${spread.low.toFixed(2)}–${spread.high.toFixed(2)}` : '';
}

function toPercent(share: number | undefined): string {
  return share === undefined ? '' : `${(share * 100).toFixed(0)} %`;
}

/** The same as one line of JSON. */
export function toJsonLine(
  rows: readonly Row[],
  options: {
    readonly isQuick: boolean;
    readonly isProfiled: boolean;
    readonly beforeDirectory?: string | undefined;
  },
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
        isPinned: canPin && !options.isProfiled,
      },
      ...options,
      rows: rows.map((row) => ({
        ...row,
        goal: row.goal && { ...row.goal, isMet: isMet(row.goal) },
        ratio: row.ratio && round(row.ratio),
        plainRatio: row.plainRatio && round(row.plainRatio),
        before: row.before && {
          ...row.before,
          ratio: row.before.ratio && round(row.before.ratio),
          change: row.before.change && round(row.before.change),
        },
      })),
    },
    (_key, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value),
  );
}

function round({ median, low, high }: Spread): readonly number[] {
  return [median, low, high];
}

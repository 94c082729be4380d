import type { Dice } from '../random.ts';
import { findNumbers, type Hints } from './hints.ts';
import { readNumber, UnsatisfiableSchema, type Schema } from './schema.ts';

/** A number within the schema's bounds; one that the text mentions where it fits. */
export function createNumber(schema: Schema, isInteger: boolean, hints: Hints, dice: Dice): number {
  const bounds = readBounds(schema);
  const step = readNumber(schema, 'multipleOf') ?? (isInteger ? 1 : undefined);
  const fits = (value: number): boolean =>
    isWithin(value, bounds) &&
    (!isInteger || Number.isInteger(value)) &&
    (step === undefined || isMultiple(value, step));
  const candidates = [
    ...findNumbers(hints).slice(hints.offset ?? 0),
    ...guess(bounds, step, isInteger, dice),
  ];
  const found = candidates.find(fits);
  if (found === undefined) throw new UnsatisfiableSchema('no number satisfies the bounds');
  return found;
}

interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly isLowExcluded: boolean;
  readonly isHighExcluded: boolean;
}

function readBounds(schema: Schema): Bounds {
  // Before 2019 the exclusive keywords were booleans that qualified the others.
  const exclusive = (key: string): number | undefined =>
    typeof schema[key] === 'boolean' ? undefined : readNumber(schema, key);
  const [minimum, maximum] = [readNumber(schema, 'minimum'), readNumber(schema, 'maximum')];
  const [above, below] = [exclusive('exclusiveMinimum'), exclusive('exclusiveMaximum')];
  const isLowExcluded =
    schema['exclusiveMinimum'] === true || (above !== undefined && above >= (minimum ?? above));
  const isHighExcluded =
    schema['exclusiveMaximum'] === true || (below !== undefined && below <= (maximum ?? below));
  return {
    low: Math.max(minimum ?? -Infinity, above ?? -Infinity),
    high: Math.min(maximum ?? Infinity, below ?? Infinity),
    isLowExcluded,
    isHighExcluded,
  };
}

function isWithin(value: number, { low, high, isLowExcluded, isHighExcluded }: Bounds): boolean {
  return (isLowExcluded ? value > low : value >= low) && (isHighExcluded ? value < high : value <= high);
}

function guess({ low, high }: Bounds, step: number | undefined, isInteger: boolean, dice: Dice): number[] {
  const from = Number.isFinite(low) ? low : Math.min(Number.isFinite(high) ? high - 100 : 1, 1);
  const to = Number.isFinite(high) ? high : from + 100;
  const points = [from + dice.next() * (to - from), (from + to) / 2, from, to];
  const unit = step ?? (isInteger ? 1 : 0);
  if (unit <= 0) return points.flatMap((point) => [Math.round(point * 10) / 10, point]);
  // Near a bound a multiple may lie outside: its neighbours are tried as well.
  return points.flatMap((point) =>
    [0, 1, -1, 2].flatMap((shift) => {
      const value = (Math.round(point / unit) + shift) * unit;
      return [value, Number(value.toPrecision(12))];
    }),
  );
}

export function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

import type { Dice } from '../random.ts';
import { findNumbers, type Hints } from './hints.ts';
import { readNumber, UnsatisfiableSchema, type Schema } from './schema.ts';
import { isPlausible } from './validate.ts';

/** A number within the schema's bounds, preferably one that the text mentions. */
export function createNumber(schema: Schema, hints: Hints, dice: Dice): number {
  const step = readNumber(schema, 'multipleOf') ?? (schema['type'] === 'integer' ? 1 : 0);
  const candidates = [...findNumbers(hints).slice(hints.offset ?? 0), ...guess(schema, step, dice)];
  const found = candidates.find((value) => isPlausible(schema, value));
  if (found === undefined) throw new UnsatisfiableSchema('no number satisfies the bounds');
  return found;
}

function guess(schema: Schema, step: number, dice: Dice): number[] {
  const read = (key: string): number | undefined => readNumber(schema, key);
  const low = Math.max(read('minimum') ?? -Infinity, read('exclusiveMinimum') ?? -Infinity);
  const high = Math.min(read('maximum') ?? Infinity, read('exclusiveMaximum') ?? Infinity);
  const from = low > -Infinity ? low : Math.min(high - 100, 1);
  const to = high < Infinity ? high : from + 100;
  const points = [from + dice.next() * (to - from), (from + to) / 2, from, to];
  if (step <= 0) return points.flatMap((point) => [Math.round(point * 10) / 10, point]);
  // A multiple near a bound may lie outside, so its neighbors are candidates as well.
  return points.flatMap((point) =>
    [0, 1, -1, 2].flatMap((shift) => {
      const value = (Math.round(point / step) + shift) * step;
      return [value, Number(value.toPrecision(12))];
    }),
  );
}

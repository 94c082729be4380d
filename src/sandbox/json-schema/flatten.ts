import { isRecord, stringifyJson } from '../../lib/json.ts';
import type { Dice } from '../random.ts';
import type { Hints } from './hints.ts';
import {
  mergeSchemas,
  readList,
  resolveReference,
  toSchema,
  UnsatisfiableSchema,
  type Schema,
} from './schema.ts';

/** Parameters and budget of one attempt to generate a value. */
export interface Attempt {
  readonly root: Schema;
  readonly dice: Dice;
  readonly hints: Hints;
  /** Whether to ignore the prompt and try unusual types and sizes, because earlier attempts failed. */
  readonly isFallback: boolean;
  /** The remaining size of the value. */
  readonly budget: { left: number };
}

/** The position of a member in the generated value. */
export interface Place {
  readonly name: string;
  readonly parent: string;
  readonly depth: number;
}

/** The budget of one attempt: about the number of values, or 50 times as many characters. */
export const fullBudget = 20_000;
/** The maximum depth of a value. */
export const maxDepth = 60;

/** Whether there is room for more than the schema requires. */
export function isRoomy({ budget }: Attempt, { depth }: Place): boolean {
  return depth < 4 && budget.left > fullBudget * 0.9;
}

/** Resolves references, joins `allOf`, and picks one branch of each choice. */
export function flatten(attempt: Attempt, given: Schema, place: Place): Schema {
  let schema = given;
  for (let round = 0; round < maxDepth; round += 1) {
    const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise, ...rest } = schema;
    if ($ref !== undefined) {
      schema = mergeSchemas(resolveReference(attempt.root, $ref), without(schema, '$ref'));
    } else if (allOf !== undefined) {
      const parts = readList(schema, 'allOf') ?? [];
      schema = parts.map(toSchema).reduce(mergeSchemas, without(schema, 'allOf'));
    } else if (anyOf !== undefined || oneOf !== undefined) {
      const key = anyOf === undefined ? 'oneOf' : 'anyOf';
      schema = mergeSchemas(without(schema, key), chooseBranch(attempt, readList(schema, key) ?? [], place));
    } else if (condition !== undefined) {
      const holds = otherwise === undefined || (then !== undefined && attempt.dice.chance(0.5));
      schema = (holds ? [condition, then] : [otherwise]).map(toSchema).reduce(mergeSchemas, rest);
    } else {
      return schema;
    }
  }
  throw new UnsatisfiableSchema('the schema refers to itself without end');
}

function without(schema: Schema, key: string): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));
}

function chooseBranch(attempt: Attempt, branches: readonly unknown[], place: Place): Schema {
  const possible = branches.filter((branch) => branch !== false);
  if (possible.length === 0)
    throw new UnsatisfiableSchema('anyOf or oneOf has no branch that can be satisfied');
  // At depth, prefer a branch without references, which ends the recursion. Elsewhere prefer a branch other than null.
  const isPreferred = isRoomy(attempt, place)
    ? (branch: unknown) => !isRecord(branch) || branch['type'] !== 'null'
    : (branch: unknown) => !stringifyJson(branch).includes('"$ref"');
  const preferred = possible.filter(isPreferred);
  const usesPreferred = preferred.length > 0 && (!isRoomy(attempt, place) || attempt.dice.chance(0.8));
  return toSchema(attempt.dice.pick(usesPreferred ? preferred : possible));
}

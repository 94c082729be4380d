import { stringifyExactJson } from '../http/exact-json.ts';
import type { Dice } from '../random.ts';
import type { Hints } from './hints.ts';
import {
  isRecord,
  mergeSchemas,
  readList,
  resolveReference,
  toSchema,
  UnsatisfiableSchema,
  type Schema,
} from './schema.ts';

/** What one attempt to make a value works with. */
export interface Workshop {
  readonly root: Schema;
  readonly dice: Dice;
  readonly hints: Hints;
  /** Whether to try what is less likely: the likely has failed. */
  readonly isDaring: boolean;
  /** How many more values may be made before only what is required is. */
  budget: number;
}

/** Where in the value the work is. */
export interface Place {
  readonly name: string;
  readonly parent: string;
  readonly depth: number;
}

/** Down to here optional members are made, too. */
export const generousDepth = 4;
/** No value is nested deeper. */
export const maxDepth = 60;

/** Resolves references, joins `allOf`, and decides for one branch of each choice. */
export function flatten(workshop: Workshop, given: Schema, place: Place): Schema {
  let schema = given;
  for (let round = 0; round < maxDepth; round += 1) {
    const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise, ...rest } = schema;
    if ($ref !== undefined) {
      schema = mergeSchemas(resolveReference(workshop.root, $ref), without(schema, '$ref'));
    } else if (allOf !== undefined) {
      const parts = readList(schema, 'allOf') ?? [];
      schema = parts.map(toSchema).reduce(mergeSchemas, without(schema, 'allOf'));
    } else if (anyOf !== undefined || oneOf !== undefined) {
      const key = anyOf === undefined ? 'oneOf' : 'anyOf';
      schema = mergeSchemas(without(schema, key), chooseBranch(workshop, readList(schema, key) ?? [], place));
    } else if (condition !== undefined) {
      const holds = otherwise === undefined || (then !== undefined && workshop.dice.chance(0.5));
      schema = holds
        ? [condition, then].map(toSchema).reduce(mergeSchemas, rest)
        : mergeSchemas(rest, toSchema(otherwise));
    } else {
      return schema;
    }
  }
  throw new UnsatisfiableSchema('the schema refers to itself without end');
}

/** The schema but for one keyword. */
export function without(schema: Schema, key: string): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));
}

function chooseBranch(workshop: Workshop, branches: readonly unknown[], place: Place): Schema {
  const possible = branches.filter((branch) => branch !== false);
  if (possible.length === 0) throw new UnsatisfiableSchema('there is no branch to choose');
  // Deep down, a branch that refers to nothing ends the recursion.
  const leaves = possible.filter((branch) => !stringifyExactJson(branch).includes('"$ref"'));
  const isDeep = place.depth > generousDepth || workshop.budget < 0;
  // An absent value is seldom what was wanted.
  const telling = possible.filter((branch) => !isRecord(branch) || branch['type'] !== 'null');
  let pool = possible;
  if (isDeep && leaves.length > 0) pool = leaves;
  else if (telling.length > 0 && workshop.dice.chance(place.depth < 2 ? 0.9 : 0.5)) pool = telling;
  return toSchema(pool[workshop.dice.between(0, pool.length - 1)]);
}

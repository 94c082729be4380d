import { stringifyJson } from '../../lib/json.ts';
import type { Dice } from '../random.ts';
import type { Hints } from './hints.ts';
import { checkPatterns } from './check-patterns.ts';
import { createNumber } from './numbers.ts';
import { flatten, fullBudget, isRoomy, maxDepth, type Place, type Attempt } from './flatten.ts';
import { readList, readMembers, readNumber, toSchema, UnsatisfiableSchema, type Schema } from './schema.ts';
import { createString } from './strings.ts';
import { isPlausible, isValid } from './validate.ts';

export interface InstanceOptions {
  /** A JSON Schema: object or boolean. */
  readonly schema: unknown;
  readonly dice: Dice;
  readonly hints: Hints;
}

const maxAttempts = 24;
const maxSchemaLength = 256 * 1024;
const maxSchemaDepth = 100;

/** A believable value that satisfies a JSON Schema. @throws UnsatisfiableSchema */
export function createInstance({ schema, dice, hints }: InstanceOptions): unknown {
  if (isDeeper(schema, maxSchemaDepth) || stringifyJson(schema).length > maxSchemaLength) {
    throw new UnsatisfiableSchema('the schema is too large or nested too deeply');
  }
  checkPatterns(schema);
  const root = toSchema(schema);
  let problem = new UnsatisfiableSchema('no value was found that satisfies the schema');
  for (let number = 0; number < maxAttempts; number += 1) {
    // The schema may forbid the values that the text suggests, so later attempts ignore the text.
    const isFallback = number >= maxAttempts / 3;
    const attempt: Attempt = {
      isFallback,
      root,
      dice,
      hints: isFallback ? { text: '', topics: [] } : hints,
      budget: { left: fullBudget },
    };
    try {
      const value = make(attempt, root, { name: '', parent: '', depth: 0 });
      if (isValid(root, value)) return value;
    } catch (error) {
      if (!(error instanceof UnsatisfiableSchema)) throw error;
      problem = error;
    }
  }
  throw problem;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

function spend({ budget }: Attempt, characters = 0): void {
  budget.left -= 1 + characters / 50;
  if (budget.left < 0) throw new UnsatisfiableSchema('the schema asks for too large a value');
}

/** Fails before the work if this number of values exceeds the budget. */
function demand({ budget }: Attempt, count: number): void {
  if (count > budget.left) throw new UnsatisfiableSchema('the schema asks for too large a value');
}

function make(attempt: Attempt, given: unknown, place: Place): unknown {
  if (place.depth > maxDepth) throw new UnsatisfiableSchema('the schema asks for endless nesting');
  spend(attempt);
  const schema = flatten(attempt, toSchema(given), place);
  const words = 'const' in schema ? [schema['const']] : readList(schema, 'enum');
  const type = chooseType(schema, attempt);
  if (!words && type === 'object') return makeObject(attempt, schema, place);
  if (!words && type === 'array') return makeArray(attempt, schema, place);
  const value = words ? pickWord(attempt, schema, words) : makeScalar(attempt, { ...schema, type }, place);
  spend(attempt, stringifyJson(value).length);
  return value;
}

function makeScalar({ hints, dice }: Attempt, schema: Schema, place: Place): unknown {
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return createNumber(schema, hints, dice);
    case 'boolean':
      return dice.chance(0.5);
    case 'null':
      return null;
    default:
      return createString(schema, place, hints, dice);
  }
}

/** A word that the text mentions, or any other. */
function pickWord({ hints, dice }: Attempt, schema: Schema, words: readonly unknown[]): unknown {
  const { enum: _words, ...rest } = schema;
  const fitting = words.filter((word) => isPlausible(rest, word));
  if (fitting.length === 0) {
    throw new UnsatisfiableSchema('no value of const or enum satisfies the rest of the schema');
  }
  const text = hints.text.toLowerCase();
  const isMentioned = (word: unknown): boolean =>
    typeof word === 'string' && word !== '' && text.includes(word.toLowerCase());
  return fitting.find(isMentioned) ?? dice.pick(fitting);
}

const keywordsByType = {
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: [],
  boolean: [],
  null: [],
  string: [],
} as const;
const knownTypes = Object.keys(keywordsByType);

function chooseType(schema: Schema, { dice, isFallback }: Attempt): unknown {
  const types = [schema['type'] ?? []].flat();
  const unknown = types.find((type) => !knownTypes.some((known) => known === type));
  if (unknown !== undefined) throw new UnsatisfiableSchema(`type ${stringifyJson(unknown)} is unknown`);
  const implied = Object.entries(keywordsByType).find(([, keywords]) =>
    keywords.some((key) => key in schema),
  )?.[0];
  if (types.length === 0) return implied ?? (isFallback ? dice.pick(knownTypes) : 'string');
  if (implied !== undefined && types.includes(implied)) return implied;
  const telling = types.filter((type) => type !== 'null');
  return telling.length === 0 ? 'null' : dice.pick(telling);
}

function makeObject(attempt: Attempt, schema: Schema, place: Place): Record<string, unknown> {
  const properties = readMembers(schema, 'properties');
  const required = (readList(schema, 'required') ?? []).map(String);
  const least = readNumber(schema, 'minProperties') ?? 0;
  const most = readNumber(schema, 'maxProperties') ?? Infinity;
  demand(attempt, least);
  const result = new Map<string, unknown>();
  const put = (name: string): void => {
    spend(attempt, name.length);
    const inner = { name, parent: place.name, depth: place.depth + 1 };
    result.set(name, make(attempt, findMemberSchema(schema, name), inner));
  };
  for (const name of required) put(name);
  for (const [name, member] of Object.entries(properties)) {
    const isWanted = isRoomy(attempt, place) && member !== false && result.size < most;
    if (isWanted && !result.has(name)) ignoreUnsatisfiable(() => put(name));
  }
  for (let number = 1; result.size < least && number <= least; number += 1) put(`item${number}`);
  return Object.fromEntries(result);
}

/** Omits an optional member whose schema cannot be satisfied. */
function ignoreUnsatisfiable(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof UnsatisfiableSchema)) throw error;
  }
}

function findMemberSchema(schema: Schema, name: string): unknown {
  const properties = readMembers(schema, 'properties');
  if (Object.hasOwn(properties, name)) return properties[name];
  const patterns = Object.entries(readMembers(schema, 'patternProperties'));
  const matching = patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name));
  return matching ? matching[1] : schema['additionalProperties'];
}

function makeArray(attempt: Attempt, schema: Schema, place: Place): unknown[] {
  const { items: given, contains } = schema;
  // Before 2020 the schemas of the first items were the array `items`.
  const prefix = readList(schema, Array.isArray(given) ? 'items' : 'prefixItems') ?? [];
  const rest = Array.isArray(given) ? schema['additionalItems'] : given;
  const contained = contains === undefined ? 0 : (readNumber(schema, 'minContains') ?? 1);
  const least = Math.max(readNumber(schema, 'minItems') ?? 0, contained);
  const most = Math.min(
    readNumber(schema, 'maxItems') ?? Infinity,
    rest === false ? prefix.length : Infinity,
  );
  if (least > most) throw new UnsatisfiableSchema(`no array holds ${least} to ${most} items`);
  demand(attempt, least);
  const some = isRoomy(attempt, place) ? attempt.dice.between(attempt.isFallback ? 0 : 2, 3) : 0;
  const length = Math.min(Math.max(some, prefix.length, least), most);
  const items = new Map<string, unknown>();
  for (let tries = 0; items.size < length && tries < length * 12; tries += 1) {
    const position = items.size;
    const itemSchema = position < prefix.length ? prefix[position] : (rest ?? {});
    const isContained = position >= prefix.length && position < prefix.length + contained;
    const item = makeItem(
      attempt,
      isContained ? { allOf: [itemSchema, contains] } : itemSchema,
      place,
      tries,
    );
    items.set(schema['uniqueItems'] === true ? stringifyJson(item) : String(position), item);
  }
  if (items.size < least) throw new UnsatisfiableSchema('there are not enough different items');
  return [...items.values()];
}

function makeItem(attempt: Attempt, schema: unknown, place: Place, tries: number): unknown {
  // Only the first item uses the names and numbers of the text.
  const { hints } = attempt;
  const left = tries === 0 ? hints : { ...hints, text: '', topics: hints.topics.slice(tries) };
  const inner = { name: place.name.replace(/s$/, ''), parent: place.parent, depth: place.depth + 1 };
  return make({ ...attempt, hints: left }, schema, inner);
}

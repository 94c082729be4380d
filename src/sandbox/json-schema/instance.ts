import { stringifyExactJson } from '../http/exact-json.ts';
import type { Dice } from '../random.ts';
import type { Hints } from './hints.ts';
import { createNumber } from './numbers.ts';
import { flatten, generousDepth, maxDepth, without, type Place, type Workshop } from './flatten.ts';
import { readList, readMembers, readNumber, toSchema, UnsatisfiableSchema, type Schema } from './schema.ts';
import { createString } from './strings.ts';
import { isValid } from './validate-instance.ts';

export interface InstanceOptions {
  /** A JSON Schema: object or boolean. */
  readonly schema: unknown;
  readonly dice: Dice;
  readonly hints: Hints;
}

const attempts = 24;
const maxItems = 2000;
/** How many values beyond the budget the required ones may take. */
const maxOverdraft = 20_000;

/** A believable value that satisfies a JSON Schema; throws UnsatisfiableSchema where none was found. */
export function createInstance({ schema, dice, hints }: InstanceOptions): unknown {
  const root = toSchema(schema);
  let lastProblem: UnsatisfiableSchema | undefined;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    // What the text suggests may be what the schema forbids: later attempts go without.
    const isDaring = attempt >= attempts / 3;
    const workshop: Workshop = {
      isDaring,
      root,
      dice,
      hints: isDaring ? { text: '', topics: [] } : hints,
      budget: 2000,
    };
    try {
      const value = make(workshop, root, { name: '', parent: '', depth: 0 });
      if (isValid(root, root, value)) return value;
    } catch (error) {
      if (!(error instanceof UnsatisfiableSchema)) throw error;
      lastProblem = error;
    }
  }
  throw lastProblem ?? new UnsatisfiableSchema('no value was found that satisfies the schema');
}

function make(workshop: Workshop, given: unknown, place: Place): unknown {
  if (place.depth > maxDepth) throw new UnsatisfiableSchema('the schema asks for endless nesting');
  workshop.budget -= 1;
  if (workshop.budget < -maxOverdraft) throw new UnsatisfiableSchema('the schema asks for too large a value');
  const schema = flatten(workshop, toSchema(given), place);
  if ('const' in schema) return schema['const'];
  const words = readList(schema, 'enum');
  if (words) return pickWord(workshop, schema, words);
  switch (chooseType(schema, workshop)) {
    case 'object':
      return makeObject(workshop, schema, place);
    case 'array':
      return makeArray(workshop, schema, place);
    case 'integer':
      return createNumber(schema, true, workshop.hints, workshop.dice);
    case 'number':
      return createNumber(schema, false, workshop.hints, workshop.dice);
    case 'boolean':
      return workshop.dice.chance(0.5);
    case 'null':
      return null;
    default:
      return createString(schema, place, workshop.hints, workshop.dice);
  }
}

function pickWord(workshop: Workshop, schema: Schema, words: readonly unknown[]): unknown {
  const fitting = words.filter((word) => isValid(workshop.root, without(schema, 'enum'), word));
  if (fitting.length === 0)
    throw new UnsatisfiableSchema('no value of enum satisfies the rest of the schema');
  const text = workshop.hints.text.toLowerCase();
  const mentioned = fitting.find(
    (word) => typeof word === 'string' && word !== '' && text.includes(word.toLowerCase()),
  );
  return mentioned ?? fitting[workshop.dice.between(0, fitting.length - 1)];
}

const knownTypes: readonly [string, ...string[]] = [
  'object',
  'array',
  'integer',
  'number',
  'boolean',
  'null',
  'string',
];

const keywordsByType: readonly (readonly [string, RegExp])[] = [
  [
    'object',
    /^(properties|required|additionalProperties|patternProperties|minProperties|maxProperties|propertyNames)$/,
  ],
  ['array', /^(items|prefixItems|minItems|maxItems|uniqueItems|contains)$/],
  ['number', /^(minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf)$/],
];

function chooseType(schema: Schema, { dice, isDaring }: Workshop): string {
  const { type } = schema;
  const types = type === undefined ? [] : Array.isArray(type) ? type : [type];
  for (const item of types) {
    if (typeof item !== 'string' || !knownTypes.includes(item))
      throw new UnsatisfiableSchema(`type ${stringifyExactJson(item)} is unknown`);
  }
  const implied = keywordsByType.find(([, pattern]) =>
    Object.keys(schema).some((key) => pattern.test(key)),
  )?.[0];
  if (types.length === 0) return implied ?? (isDaring ? dice.pick(knownTypes) : 'string');
  if (implied !== undefined && types.includes(implied)) return implied;
  const telling = types.filter((item) => item !== 'null');
  return telling[dice.between(0, telling.length - 1)] ?? 'null';
}

function makeObject(workshop: Workshop, schema: Schema, place: Place): Record<string, unknown> {
  const properties = readMembers(schema, 'properties');
  const required = (readList(schema, 'required') ?? []).map(String);
  const most = readNumber(schema, 'maxProperties') ?? Infinity;
  const isGenerous = place.depth < generousDepth && workshop.budget > 0;
  const result = new Map<string, unknown>();
  const put = (name: string, memberSchema: unknown): void => {
    result.set(name, make(workshop, memberSchema, { name, parent: place.name, depth: place.depth + 1 }));
  };
  for (const name of required) put(name, findMemberSchema(schema, name));
  for (const [name, member] of Object.entries(properties)) {
    const isWanted = isGenerous && member !== false && result.size < most && !result.has(name);
    if (isWanted && !required.includes(name)) putIfPossible(put, name, member);
  }
  const least = readNumber(schema, 'minProperties') ?? 0;
  for (let number = 1; result.size < least && number <= least; number += 1) {
    put(`item${number}`, findMemberSchema(schema, `item${number}`));
  }
  return Object.fromEntries(result);
}

/** An optional member that would never end is left out. */
function putIfPossible(put: (name: string, schema: unknown) => void, name: string, schema: unknown): void {
  try {
    put(name, schema);
  } catch (error) {
    if (!(error instanceof UnsatisfiableSchema)) throw error;
  }
}

function findMemberSchema(schema: Schema, name: string): unknown {
  const properties = readMembers(schema, 'properties');
  if (Object.hasOwn(properties, name)) return properties[name];
  const patterns = Object.entries(readMembers(schema, 'patternProperties'));
  const matching = patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name));
  return matching ? matching[1] : (schema['additionalProperties'] ?? {});
}

function makeArray(workshop: Workshop, schema: Schema, place: Place): unknown[] {
  const prefix = readList(schema, 'prefixItems') ?? (Array.isArray(schema['items']) ? schema['items'] : []);
  const rest = Array.isArray(schema['items']) ? schema['additionalItems'] : schema['items'];
  const least = Math.max(readNumber(schema, 'minItems') ?? 0, schema['contains'] === undefined ? 0 : 1);
  const most = Math.min(
    readNumber(schema, 'maxItems') ?? Infinity,
    rest === false ? prefix.length : Infinity,
  );
  if (least > most || least > maxItems)
    throw new UnsatisfiableSchema(`no array holds ${least} to ${most} items`);
  const isGenerous = place.depth < generousDepth && workshop.budget > 0;
  const wanted = isGenerous
    ? Math.max(prefix.length, workshop.dice.between(workshop.isDaring ? 0 : 2, 3))
    : prefix.length;
  const length = Math.min(Math.max(wanted, least), most);
  const items: unknown[] = [];
  const seen = new Set<string>();
  for (let tries = 0; items.length < length && tries < length * 12; tries += 1) {
    const position = items.length;
    const isContained =
      schema['contains'] !== undefined &&
      position >= prefix.length &&
      position < prefix.length + (readNumber(schema, 'minContains') ?? 1);
    const itemSchema = position < prefix.length ? prefix[position] : (rest ?? {});
    const item = makeItem(
      workshop,
      isContained ? { allOf: [itemSchema, schema['contains']] } : itemSchema,
      place,
      tries,
    );
    const text = stringifyExactJson(item);
    if (schema['uniqueItems'] === true && seen.has(text)) continue;
    seen.add(text);
    items.push(item);
  }
  if (items.length < least) throw new UnsatisfiableSchema('there are not enough different items');
  return items;
}

function makeItem(workshop: Workshop, schema: unknown, place: Place, tries: number): unknown {
  const name = place.name.replace(/s$/, '');
  // After the first item the text's own names and numbers are used up.
  const hints =
    tries === 0
      ? workshop.hints
      : { ...workshop.hints, text: '', topics: workshop.hints.topics.slice(tries) };
  const inner: Workshop = { ...workshop, hints };
  const item = make(inner, schema, { name, parent: place.parent, depth: place.depth + 1 });
  workshop.budget = inner.budget;
  return item;
}

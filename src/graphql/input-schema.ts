import {
  astFromValue,
  getNamedType,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  valueFromASTUntyped,
} from 'graphql';
import { RequestError } from '../errors.ts';
import { describeLimits, rulesKeyword } from '../generations/describe-limits.ts';
import { withReferences } from '../generations/file-references.ts';
import { asArray, asJsonObject, type JsonObject } from '../lib/json.ts';
import type { Graph } from './graph.ts';
import { dateTimePattern, integerTextPattern } from './scalars.ts';
import { saysOnly } from './without-repetition.ts';

export function addInputSchema({ builder, inputs }: Graph): void {
  const documents = new Map<string, JsonObject>();
  const find = (name: string, schema: GraphQLSchema, keepsFiles: boolean): JsonObject => {
    const limits = inputs.get(name);
    if (!limits) {
      const names = [...inputs.keys()].toSorted().join(', ');
      throw new RequestError('BAD_REQUEST', `input must be the name of an input type: ${names}.`);
    }
    const key = `${name} ${keepsFiles}`;
    const own = (): JsonObject => toDocument(name, schema, describeLimits(limits));
    const document = documents.get(key) ?? (keepsFiles ? withReferences(own()) : own());
    documents.set(key, document);
    return document;
  };
  builder.queryField('inputSchema', (t) =>
    t.field({
      type: 'JSON',
      nullable: true,
      description:
        'The limits of an input as JSON Schema (2020-12), for forms. `x-rules` has other limits, in words. Needs no credential.',
      args: {
        input: t.arg.string({ required: true, description: "An `input` argument's type, e.g. `ChatInput`." }),
      },
      resolve: (_root, { input }, { engine }, { schema }) => find(input, schema, engine.files !== undefined),
    }),
  );
}

function toDocument(name: string, schema: GraphQLSchema, limits: JsonObject): JsonObject {
  const type = schema.getType(name);
  if (!isInputObjectType(type)) throw new TypeError(`${name} is not an input type.`);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: name,
    ...toValueSchema(type, limits),
    $defs: { JSON: anyJson },
  };
}

/** `checkInput` refuses the name at any depth, and the scalar refuses deeper values. */
const anyJson: JsonObject = {
  propertyNames: { not: { const: '__proto__' } },
  additionalProperties: { $ref: '#/$defs/JSON' },
  items: { $ref: '#/$defs/JSON' },
  [rulesKeyword]: ['at most 100 levels deep'],
};

/** A number, or an integer as text. Larger numbers lose digits. */
const exactNumber: JsonObject = {
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  pattern: integerTextPattern.source,
};

const scalars: Readonly<Record<string, JsonObject>> = {
  Int: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  Float: { type: 'number' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  ID: { type: ['string', 'integer'] },
  URL: { type: 'string', format: 'uri' },
  DateTime: { type: 'string', format: 'date-time', pattern: dateTimePattern.source },
  BigInt: { type: ['integer', 'string'], ...exactNumber },
  Number: { type: ['number', 'string'], ...exactNumber },
  JSON: { $ref: '#/$defs/JSON' },
};

/** The schema of a type with its limits. A nullable type also accepts null. */
function toTypeSchema(type: GraphQLInputType, limits: JsonObject): JsonObject {
  return isNonNullType(type)
    ? toValueSchema(type.ofType, withoutNull(limits))
    : orNull(toValueSchema(type, withoutNull(limits)));
}

function toValueSchema(type: GraphQLInputType, limits: JsonObject): JsonObject {
  if (isNonNullType(type)) return toValueSchema(type.ofType, limits);
  if (isListType(type)) {
    const items = toTypeSchema(type.ofType, asJsonObject(limits['items']) ?? {});
    return restrict({ type: 'array', items }, limits);
  }
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (!isInputObjectType(type)) return restrict(scalars[type.name] ?? {}, limits);
  const members = asJsonObject(limits['properties']) ?? {};
  const fields = Object.values(type.getFields());
  const properties = fields.map((field) => {
    const inner = asJsonObject(members[field.name]) ?? {};
    // A member of a @oneOf input must not be null, although its type is nullable.
    const schema = type.isOneOf
      ? toValueSchema(field.type, withoutNull(inner))
      : toTypeSchema(field.type, inner);
    const ofType = getNamedType(field.type).description;
    // A form shows it below the name.
    const isRepetition = type.isOneOf && saysOnly(field.name, field.description);
    const description = (isRepetition && ofType) || (field.description ?? ofType);
    return [field.name, { ...schema, ...defaultOf(field), ...(description && { description }) }] as const;
  });
  const required = fields.filter(isRequiredInputField).map(({ name }) => name);
  const schema: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    ...(type.isOneOf && { minProperties: 1, maxProperties: 1 }),
  };
  return restrict(schema, limits);
}

/** The default as a client writes it: an enum value by its name. */
function defaultOf({ defaultValue, type }: GraphQLInputField): JsonObject {
  const literal = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
  return (literal && asJsonObject({ default: valueFromASTUntyped(literal) })) ?? {};
}

const copiedKeywords: readonly string[] = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'enum',
  'allOf',
  'propertyNames',
  rulesKeyword,
];

/** Adds limits to the schema of a type. The narrower range applies. */
function restrict(schema: JsonObject, limits: JsonObject): JsonObject {
  // zod adds null to the type of an optional member.
  const isObject = [limits['type']].flat().includes('object');
  const kept = Object.entries(limits).filter(([keyword]) => copiedKeywords.includes(keyword));
  const minimum = Math.max(toNumber(schema['minimum'], -Infinity), toNumber(limits['minimum'], -Infinity));
  const maximum = Math.min(toNumber(schema['maximum'], Infinity), toNumber(limits['maximum'], Infinity));
  return {
    ...(schema['type'] === undefined && isObject && { type: 'object' }),
    ...schema,
    ...Object.fromEntries(kept),
    ...(Number.isFinite(minimum) && { minimum }),
    ...(Number.isFinite(maximum) && { maximum }),
  };
}

function toNumber(value: unknown, absent: number): number {
  return typeof value === 'number' ? value : absent;
}

/** zod describes an optional member as a choice between its schema and null. */
function withoutNull(limits: JsonObject): JsonObject {
  const choices = asArray(limits['anyOf']).map(asJsonObject);
  return choices.find((choice) => choice && choice['type'] !== 'null') ?? limits;
}

function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  if (type === undefined) return schema;
  const types = typeof type === 'string' ? [type] : asArray(type).filter((one) => typeof one === 'string');
  return {
    ...schema,
    type: [...types, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

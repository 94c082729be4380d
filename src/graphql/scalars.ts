import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { isWebAddress } from '../lib/addresses.ts';
import { isRecord, type Json, toRawInteger } from '../lib/json.ts';
import { ownMember } from '../lib/members.ts';
import { dayMs, isDay } from '../lib/time.ts';
import type { Graph } from './graph.ts';

export function addScalars({ builder }: Graph): void {
  builder.scalarType('DateTime', {
    description: 'RFC 3339 timestamp with a time zone, e.g. `2026-11-20T16:00:00.000Z`.',
    specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
    serialize: (milliseconds) => new Date(milliseconds).toISOString(),
    parseValue: parseDateTime,
    parseLiteral: locate((node) => parseDateTime(valueFromASTUntyped(node))),
  });

  builder.scalarType('Date', {
    description: 'RFC 3339 date, e.g. `2026-11-20`.',
    specifiedByURL: 'https://scalars.graphql.org/andimarek/local-date.html',
    serialize: (days) => new Date(days * dayMs).toISOString().slice(0, 10),
    parseValue: parseDate,
    parseLiteral: locate((node) => parseDate(valueFromASTUntyped(node))),
  });

  builder.scalarType('URL', {
    description: 'Absolute http(s) URL.',
    specifiedByURL: 'https://url.spec.whatwg.org/',
    // Decoders have parsed it. An error here is a defect; it makes only this field null.
    serialize(url) {
      if (typeof url === 'string' && /^https?:\/\//i.test(url)) return url;
      throw new TypeError('not an absolute http(s) URL');
    },
    parseValue: parseUrl,
    parseLiteral: locate((node) => parseUrl(valueFromASTUntyped(node))),
  });

  builder.scalarType('BigInt', {
    description:
      'Integer of any size: a number up to ±(2^53 − 1), otherwise a string of digits. Inputs may use either form.',
    serialize: (value) => (typeof value === 'bigint' && !isSafe(value) ? value.toString() : Number(value)),
    parseValue: parseBigInteger,
    parseLiteral: locate((node) => {
      if (node.kind === Kind.INT || node.kind === Kind.STRING) return parseBigInteger(node.value);
      throw new GraphQLError('Expected an integer or a string of decimal digits.');
    }),
  });

  builder.scalarType('Number', {
    description: 'A number with or without a fraction. An integer beyond ±(2^53 − 1) is a string of digits.',
    serialize: (value) => (typeof value === 'bigint' && !isSafe(value) ? value.toString() : Number(value)),
    parseValue: parseNumber,
    parseLiteral: locate((node) => {
      if (node.kind === Kind.FLOAT) return parseNumber(Number(node.value));
      if (node.kind === Kind.INT || node.kind === Kind.STRING) return parseBigInteger(node.value, 'a number');
      throw new GraphQLError('Expected a number or a string of decimal digits.');
    }),
  });

  builder.scalarType('JSON', {
    description:
      'Any JSON value, at most 100 levels deep. Integers of any size are exact, in both directions. Standard JSON parsers round them beyond ±(2^53 − 1).',
    specifiedByURL: 'https://datatracker.ietf.org/doc/html/rfc8259',
    serialize: toPlainJson,
    parseValue: withinLimits,
    parseLiteral: locate((node, variables) => withinLimits(literalToJson(node, variables ?? {}))),
  });
}

type ParseLiteral<Value> = (node: ValueNode, variables?: Variables | null) => Value;
type Variables = Readonly<Record<string, unknown>>;

/** The error of a literal names its place in the document, as graphql-js does for its own scalars. */
function locate<Value>(parse: ParseLiteral<Value>): ParseLiteral<Value> {
  return (node, variables) => {
    try {
      return parse(node, variables);
    } catch (error) {
      throw error instanceof GraphQLError ? new GraphQLError(error.message, { nodes: node }) : error;
    }
  };
}

const leapYear = String.raw`(\d\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)`;
const day = String.raw`(\d{4}-((0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)|${leapYear}-02-29)`;
const time = String.raw`(([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?|24:00:00(\.0+)?)`;
const offset = String.raw`([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)`;
/** Without days that do not exist, such as February 30, which Date.parse accepts. */
export const dateTimePattern = new RegExp(`^${day}[Tt]${time}${offset}$`);

function parseDateTime(value: unknown): number {
  const milliseconds =
    typeof value === 'string' && dateTimePattern.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(milliseconds))
    throw new GraphQLError('Expected an RFC 3339 timestamp with a time zone, e.g. 2026-11-20T16:00:00Z.');
  return milliseconds;
}

/** Days since the epoch. */
function parseDate(value: unknown): number {
  if (typeof value !== 'string' || !isDay(value))
    throw new GraphQLError('Expected an RFC 3339 date, e.g. 2026-11-20.');
  return Date.parse(value) / dayMs;
}

function parseUrl(value: unknown): string {
  if (isWebAddress(value)) return value;
  throw new GraphQLError('Expected an absolute http(s) URL.');
}

function isSafe(value: bigint): boolean {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
}

export const integerTextPattern = /^-?\d{1,100}$/;

function parseBigInteger(value: unknown, expected = 'an integer'): number | bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'string' && integerTextPattern.test(value)) {
    const integer = BigInt(value);
    return isSafe(integer) ? Number(integer) : integer;
  }
  throw new GraphQLError(
    typeof value === 'bigint' || Number.isInteger(value)
      ? 'A number this large loses digits. Send it as a string.'
      : `Expected ${expected} or a string of decimal digits.`,
  );
}

function parseNumber(value: unknown): number | bigint {
  const hasFraction = typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value);
  return hasFraction ? value : parseBigInteger(value, 'a number');
}

/** Transports write the result with plain JSON.stringify. */
function toPlainJson(value: unknown): unknown {
  if (typeof value === 'bigint') return toRawInteger(value);
  if (Array.isArray(value)) return value.map(toPlainJson);
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toPlainJson(member)]));
  return value;
}

/** Deeper than any useful JSON schema, and safe for recursion. */
const maxJsonDepth = 100;

function withinLimits(value: unknown): Json {
  checkJson(value, 1);
  return value;
}

/** Variables come from a JSON parser, and literals are written like JSON. */
function checkJson(value: unknown, depth: number): asserts value is Json {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new GraphQLError('A number is too large. Send it as a string.');
  if (typeof value !== 'object' || value === null) return;
  if (depth > maxJsonDepth) throw new GraphQLError(`JSON may be nested at most ${maxJsonDepth} levels deep.`);
  for (const inner of Object.values(value)) checkJson(inner, depth + 1);
}

function literalToJson(node: ValueNode, variables: Variables): unknown {
  switch (node.kind) {
    case Kind.NULL:
      return null;
    case Kind.STRING:
    case Kind.BOOLEAN:
    case Kind.ENUM:
      return node.value;
    case Kind.INT:
      if (Number.isSafeInteger(Number(node.value))) return Number(node.value);
      // As in variables: a longer one could block the server, and is refused.
      return integerTextPattern.test(node.value) ? BigInt(node.value) : Infinity;
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.VARIABLE:
      return ownMember(variables, node.name.value) ?? null;
    case Kind.LIST:
      return node.values.map((item) => literalToJson(item, variables));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map((field) => [field.name.value, literalToJson(field.value, variables)]),
      );
    default:
      return node satisfies never;
  }
}

import { isRecord } from '../../src/lib/json.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;
export type Path = readonly (string | number)[];

export interface Leaf {
  readonly path: Path;
  readonly schema: JsonSchema;
}

/** Every member of an object schema, at any depth. The first item represents a list. */
export function leavesOf(schema: JsonSchema, path: Path = []): readonly Leaf[] {
  const members = Object.entries(asSchema(schema['properties'])).map(
    ([name, member]) => [name, asSchema(member)] as const,
  );
  const items = schema['items'] === undefined ? [] : [[0, asSchema(schema['items'])] as const];
  return [...members, ...items].flatMap(([key, member]) => {
    const leaf = { path: [...path, key], schema: member };
    return [leaf, ...leavesOf(member, leaf.path)];
  });
}

export function asSchema(value: unknown): JsonSchema {
  return isRecord(value) ? value : {};
}

/** Valid values for limits that only words express, by a word of them. */
const samples: readonly (readonly [words: string, sample: string])[] = [
  ['address', 'https://example.com/a.png'],
  ['base64', 'aGk='],
  ['subtype', 'image/png'],
  ['JSON text', '{}'],
  ['IP', '10.0.0.1'],
  ['<word>', 'a/b'],
];

/** A value that satisfies a schema. */
export function sampleOf(schema: JsonSchema): unknown {
  const words = JSON.stringify(schema['x-rules'] ?? '');
  const { type, enum: values, minimum, minItems, minLength } = schema;
  const types = Array.isArray(type) ? type : [type];
  if (Array.isArray(values)) return values[0];
  if (types.includes('object')) {
    const properties = asSchema(schema['properties']);
    const [first = ''] = Object.keys(properties);
    const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
    const names = schema['minProperties'] === 1 ? [first] : required;
    return Object.fromEntries(names.map((name) => [name, sampleOf(asSchema(properties[name]))]));
  }
  if (types.includes('array'))
    return Array.from({ length: Number(minItems ?? 1) }, () => sampleOf(asSchema(schema['items'])));
  if (types.includes('integer') || types.includes('number'))
    return typeof minimum === 'number' && minimum > -1000 ? Math.max(minimum, 1) : 1;
  if (types.includes('boolean')) return true;
  if (schema['format'] === 'date-time') return '2100-01-01T00:00:00Z';
  if (schema['format'] === 'uri') return 'https://example.com/a.png';
  const rules = Array.isArray(schema['allOf']) ? schema['allOf'].map(asSchema) : [];
  const patterns = rules.flatMap(({ pattern }) =>
    typeof pattern === 'string' ? [new RegExp(pattern, 'u')] : [],
  );
  const plain = 'x'.repeat(Number(minLength ?? 8));
  const named = samples.filter(([word]) => words.includes(word));
  const texts = [...named, ['', plain] as const, ...samples].map(([, sample]) => sample);
  return texts.find((text) => patterns.every((pattern) => pattern.test(text))) ?? plain;
}

/** Values on both sides of each limit of a schema. */
export function valuesAround(schema: JsonSchema): readonly unknown[] {
  const { type, minimum, maximum, minLength, maxLength, minItems, maxItems, enum: values } = schema;
  const types = Array.isArray(type) ? type : [type];
  /** Large enough to make another number of the bound. */
  const stepFrom = (bound: number): number =>
    types.includes('integer') ? 1 : Math.max(0.01, Math.abs(bound) * 2 * Number.EPSILON);
  const declared = asSchema(asSchema(schema['propertyNames'])['not'])['enum'];
  const item = () => sampleOf(asSchema(schema['items']));
  const list = (length: number): readonly unknown[] => Array.from({ length }, item);
  const isNumber = (value: unknown): value is number => typeof value === 'number';
  return [
    ...[minimum].filter(isNumber).flatMap((bound) => [bound, bound - stepFrom(bound)]),
    ...[maximum].filter(isNumber).flatMap((bound) => [bound, bound + stepFrom(bound)]),
    ...[minLength].filter(isNumber).flatMap((bound) => ['x'.repeat(bound), 'x'.repeat(bound - 1)]),
    ...[maxLength]
      .filter(isNumber)
      .flatMap((bound) => ['x'.repeat(bound), 'x'.repeat(bound + 1), '\u{1f600}'.repeat(bound)]),
    ...[minItems].filter(isNumber).flatMap((bound) => [list(bound), list(bound - 1)]),
    ...[maxItems].filter(isNumber).flatMap((bound) => [list(bound), list(bound + 1)]),
    ...(Array.isArray(values) ? [...values, typeof values[0] === 'number' ? 11 : 'NO_SUCH_VALUE'] : []),
    ...(schema['allOf'] && types.includes('string')
      ? [sampleOf(schema), '', ' ', '\u00a0', 'x', 'x2345678', '1xxxxxxx', 'xxxxxxx-', 'xx xxxxx']
      : []),
    ...(Array.isArray(declared) ? [{ mood: 1 }, ...declared.map((name) => ({ [String(name)]: 1 })), 5] : []),
    ...(type === undefined || schema['x-rules'] ? [] : [null]),
  ];
}

/** A copy with the value at the path. Missing containers get the required members of their schema. */
export function withValue(target: unknown, schema: JsonSchema, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const isList = typeof key === 'number';
  const inner = isList ? asSchema(schema['items']) : asSchema(asSchema(schema['properties'])[key]);
  const present = target ?? (isList ? [] : sampleOf(schema));
  if (Array.isArray(present)) {
    return present.length === 0
      ? [withValue(undefined, inner, rest, value)]
      : present.map((item: unknown, index) => (index === key ? withValue(item, inner, rest, value) : item));
  }
  const members = schema['minProperties'] === 1 ? {} : asSchema(present);
  return { ...members, [key]: withValue(asSchema(present)[key], inner, rest, value) };
}

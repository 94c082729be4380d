import { stringifyExactJson } from '../http/exact-json.ts';
/** A JSON Schema as an object; `true` is `{}` and `false` is no schema at all. */
export type Schema = Readonly<Record<string, unknown>>;

/** No instance can be made: the schema is malformed, contradicts itself or never ends. */
export class UnsatisfiableSchema extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnsatisfiableSchema';
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function toSchema(value: unknown): Schema {
  if (value === true || value === undefined) return {};
  if (value === false) throw new UnsatisfiableSchema('the schema "false" admits nothing');
  if (!isRecord(value)) throw new UnsatisfiableSchema('a schema must be an object');
  return value;
}

export function readNumber(schema: Schema, key: string): number | undefined {
  const value = schema[key];
  if (value === undefined) return undefined;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'number') throw new UnsatisfiableSchema(`${key} must be a number`);
  return value;
}

export function readList(schema: Schema, key: string): readonly unknown[] | undefined {
  const value = schema[key];
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw new UnsatisfiableSchema(`${key} must be an array`);
  return value;
}

export function readMembers(schema: Schema, key: string): Readonly<Record<string, unknown>> {
  const value = schema[key];
  if (value === undefined) return {};
  if (!isRecord(value)) throw new UnsatisfiableSchema(`${key} must be an object`);
  return value;
}

/** Follows a reference inside the document: `#`, `#/$defs/item`, or an anchor. */
export function resolveReference(root: Schema, reference: unknown): Schema {
  if (typeof reference !== 'string' || !reference.startsWith('#')) {
    throw new UnsatisfiableSchema(`$ref ${stringifyExactJson(reference)} is not inside the schema`);
  }
  if (reference !== '#' && !reference.startsWith('#/')) return findAnchor(root, reference.slice(1));
  let target: unknown = root;
  for (const part of decodeURIComponent(reference).split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const isHeld = typeof target === 'object' && target !== null && Object.hasOwn(target, key);
    if (!isHeld) throw new UnsatisfiableSchema(`$ref ${reference} leads nowhere`);
    target = (target as Readonly<Record<string, unknown>>)[key];
  }
  return toSchema(target);
}

function findAnchor(root: Schema, anchor: string): Schema {
  const definitions = [
    ...Object.values(readMembers(root, '$defs')),
    ...Object.values(readMembers(root, 'definitions')),
  ];
  const found = definitions.find((item) => isRecord(item) && item['$anchor'] === anchor);
  if (found === undefined) throw new UnsatisfiableSchema(`$ref #${anchor} leads nowhere`);
  return toSchema(found);
}

/** One schema that asks for what both ask for. */
export function mergeSchemas(one: Schema, other: Schema): Schema {
  const merged: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    merged[key] = key in one ? mergeKeyword(key, one[key], value) : value;
  }
  return merged;
}

function mergeKeyword(key: string, one: unknown, other: unknown): unknown {
  if (key === 'type') return mergeTypes(one, other);
  if (key === 'required' && Array.isArray(one) && Array.isArray(other))
    return [...new Set([...one, ...other])];
  if (key === 'enum' && Array.isArray(one) && Array.isArray(other)) {
    const texts = new Set(other.map((item) => stringifyExactJson(item)));
    return one.filter((item) => texts.has(stringifyExactJson(item)));
  }
  if (key === 'properties' && isRecord(one) && isRecord(other)) {
    const shared = Object.keys(one).filter((name) => name in other);
    const both = shared.map((name) => [name, { allOf: [one[name], other[name]] }]);
    return { ...one, ...other, ...Object.fromEntries(both) };
  }
  if ((key === 'allOf' || key === '$conditions') && Array.isArray(one) && Array.isArray(other))
    return [...one, ...other];
  if (typeof one === 'number' && typeof other === 'number') {
    return /^(min|exclusiveMin)/.test(key) ? Math.max(one, other) : Math.min(one, other);
  }
  return other;
}

function mergeTypes(one: unknown, other: unknown): unknown {
  const [left, right] = [one, other].map((type) => (Array.isArray(type) ? type : [type]));
  const common = (left ?? []).flatMap((type) => {
    if (right?.includes(type)) return [type];
    if (type === 'number' && right?.includes('integer')) return ['integer'];
    return type === 'integer' && right?.includes('number') ? ['integer'] : [];
  });
  if (common.length === 0) throw new UnsatisfiableSchema('no type satisfies all of the schema');
  return common;
}

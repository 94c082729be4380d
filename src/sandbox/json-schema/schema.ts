import { isRecord, stringifyJson } from '../../lib/json.ts';

/** A JSON Schema as an object; `true` becomes `{}`. */
export type Schema = Readonly<Record<string, unknown>>;

/** No instance exists: the schema is malformed, contradicts itself, or never ends. */
export class UnsatisfiableSchema extends Error {
  override readonly name = 'UnsatisfiableSchema';
}

export function toSchema(value: unknown): Schema {
  if (value === true || value === undefined) return {};
  if (value === false) throw new UnsatisfiableSchema('the schema "false" admits nothing');
  if (!isRecord(value)) throw new UnsatisfiableSchema('a schema must be an object');
  return value;
}

export function readNumber(schema: Schema, key: string): number | undefined {
  const value = schema[key];
  if (value === undefined || typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  throw new UnsatisfiableSchema(`${key} must be a number`);
}

export function readList(schema: Schema, key: string): readonly unknown[] | undefined {
  const value = schema[key];
  if (value === undefined || Array.isArray(value)) return value;
  throw new UnsatisfiableSchema(`${key} must be an array`);
}

export function readMembers(schema: Schema, key: string): Readonly<Record<string, unknown>> {
  const value = schema[key] ?? {};
  if (!isRecord(value)) throw new UnsatisfiableSchema(`${key} must be an object`);
  return value;
}

/** Follows a reference inside the document: `#`, `#/$defs/item`, or an anchor of a definition. */
export function resolveReference(root: Schema, reference: unknown): Schema {
  if (typeof reference !== 'string' || !reference.startsWith('#')) {
    throw new UnsatisfiableSchema(`$ref ${stringifyJson(reference)} is not inside the schema`);
  }
  const target = /^#(\/|$)/.test(reference)
    ? followPointer(root, reference)
    : Object.values({ ...readMembers(root, '$defs'), ...readMembers(root, 'definitions') }).find(
        (item) => isRecord(item) && item['$anchor'] === reference.slice(1),
      );
  if (target === undefined) throw new UnsatisfiableSchema(`$ref ${reference} has no target in the schema`);
  return toSchema(target);
}

function followPointer(root: Schema, pointer: string): unknown {
  const keys = decodePointer(pointer).split('/').slice(1);
  return keys.reduce<unknown>((target, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    const isOwn = typeof target === 'object' && target !== null && Object.hasOwn(target, name);
    return isOwn ? Reflect.get(target, name) : undefined;
  }, root);
}

function decodePointer(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    throw new UnsatisfiableSchema(`$ref ${pointer} is not a valid URI`);
  }
}

/** Merges two schemas into one that requires both. */
export function mergeSchemas(one: Schema, other: Schema): Schema {
  const merged: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    merged[key] = key in one ? mergeKeyword(key, one[key], value) : value;
  }
  return merged;
}

function mergeKeyword(key: string, one: unknown, other: unknown): unknown {
  if (key === 'type') return mergeTypes([one].flat(), [other].flat());
  if (typeof one === 'number' && typeof other === 'number') {
    return /^(min|exclusiveMin)/.test(key) ? Math.max(one, other) : Math.min(one, other);
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    if (key === 'required' || key === 'allOf') return [...new Set([...one, ...other])];
    const texts = new Set(other.map((item) => stringifyJson(item)));
    return key === 'enum' ? one.filter((item) => texts.has(stringifyJson(item))) : other;
  }
  if (key === 'properties' && isRecord(one) && isRecord(other)) {
    const both = Object.keys(one).filter((name) => name in other);
    return {
      ...one,
      ...other,
      ...Object.fromEntries(both.map((name) => [name, { allOf: [one[name], other[name]] }])),
    };
  }
  return other;
}

function mergeTypes(one: readonly unknown[], other: readonly unknown[]): unknown {
  const integers = one.includes('number') && other.includes('integer') ? ['integer'] : [];
  const common = one.filter(
    (type) => other.includes(type) || (type === 'integer' && other.includes('number')),
  );
  if (common.length + integers.length === 0) {
    throw new UnsatisfiableSchema('no type satisfies all of the schema');
  }
  return [...new Set([...common, ...integers])];
}

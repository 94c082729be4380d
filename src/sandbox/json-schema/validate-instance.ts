import { stringifyExactJson } from '../http/exact-json.ts';
import { isMultiple } from './numbers.ts';
import { isRecord, readMembers, resolveReference, toSchema, type Schema } from './schema.ts';

/** Whether a value satisfies a schema; `root` is the document that references point into. */
export function isValid(root: Schema, given: unknown, value: unknown): boolean {
  if (given === false) return false;
  const schema = toSchema(given);
  const check = (inner: unknown): boolean => isValid(root, inner, value);
  if (schema['$ref'] !== undefined && !check(resolveReference(root, schema['$ref']))) return false;
  if ('const' in schema && !isSame(schema['const'], value)) return false;
  if (Array.isArray(schema['enum']) && !schema['enum'].some((word) => isSame(word, value))) return false;
  if (!hasType(schema['type'], value)) return false;
  if (!list(schema['allOf']).every(check)) return false;
  if (Array.isArray(schema['anyOf']) && !schema['anyOf'].some(check)) return false;
  if (Array.isArray(schema['oneOf']) && schema['oneOf'].filter(check).length !== 1) return false;
  if (schema['not'] !== undefined && check(schema['not'])) return false;
  if (schema['if'] !== undefined && !check((check(schema['if']) ? schema['then'] : schema['else']) ?? {}))
    return false;
  if (typeof value === 'string') return isValidString(schema, value);
  if (typeof value === 'number' || typeof value === 'bigint') return isValidNumber(schema, Number(value));
  if (Array.isArray(value)) return isValidArray(root, schema, value);
  return isRecord(value) ? isValidObject(root, schema, value) : true;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function limit(schema: Schema, key: string, fallback: number): number {
  const value = schema[key];
  return typeof value === 'number' ? value : fallback;
}

function isSame(one: unknown, other: unknown): boolean {
  return stringifyExactJson(sortKeys(one)) === stringifyExactJson(sortKeys(other));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortKeys(value[name])]));
}

function hasType(type: unknown, value: unknown): boolean {
  if (type === undefined) return true;
  if (Array.isArray(type)) return type.some((item) => hasType(item, value));
  if (typeof value === 'bigint') return type === 'integer' || type === 'number';
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isRecord(value) : typeof value === type;
}

function isValidString(schema: Schema, value: string): boolean {
  const { length } = Array.from(value);
  if (length < limit(schema, 'minLength', 0) || length > limit(schema, 'maxLength', Infinity)) return false;
  return typeof schema['pattern'] !== 'string' || new RegExp(schema['pattern'], 'u').test(value);
}

function isValidNumber(schema: Schema, value: number): boolean {
  if (value < limit(schema, 'minimum', -Infinity) || value > limit(schema, 'maximum', Infinity)) return false;
  if (value <= limit(schema, 'exclusiveMinimum', -Infinity)) return false;
  if (value >= limit(schema, 'exclusiveMaximum', Infinity)) return false;
  return typeof schema['multipleOf'] !== 'number' || isMultiple(value, schema['multipleOf']);
}

function isValidArray(root: Schema, schema: Schema, value: readonly unknown[]): boolean {
  if (value.length < limit(schema, 'minItems', 0) || value.length > limit(schema, 'maxItems', Infinity))
    return false;
  const isTuple = Array.isArray(schema['items']);
  const prefix = isTuple ? list(schema['items']) : list(schema['prefixItems']);
  const rest = (isTuple ? schema['additionalItems'] : schema['items']) ?? {};
  if (!value.every((item, at) => isValid(root, at < prefix.length ? prefix[at] : rest, item))) return false;
  if (
    schema['uniqueItems'] === true &&
    new Set(value.map((item) => stringifyExactJson(sortKeys(item)))).size < value.length
  ) {
    return false;
  }
  if (schema['contains'] === undefined) return true;
  const count = value.filter((item) => isValid(root, schema['contains'], item)).length;
  return count >= limit(schema, 'minContains', 1) && count <= limit(schema, 'maxContains', Infinity);
}

function isValidObject(root: Schema, schema: Schema, value: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(value);
  if (!list(schema['required']).every((name) => Object.hasOwn(value, String(name)))) return false;
  if (
    names.length < limit(schema, 'minProperties', 0) ||
    names.length > limit(schema, 'maxProperties', Infinity)
  )
    return false;
  const properties = readMembers(schema, 'properties');
  const patterns = Object.entries(readMembers(schema, 'patternProperties'));
  for (const name of names) {
    const matching = patterns
      .filter(([pattern]) => new RegExp(pattern, 'u').test(name))
      .map(([, inner]) => inner);
    if (Object.hasOwn(properties, name)) matching.push(properties[name]);
    if (matching.length === 0) matching.push(schema['additionalProperties'] ?? {});
    if (!matching.every((inner) => isValid(root, inner, value[name]))) return false;
    if (schema['propertyNames'] !== undefined && !isValid(root, schema['propertyNames'], name)) return false;
  }
  return Object.entries(readMembers(schema, 'dependentRequired')).every(
    ([name, needed]) =>
      !Object.hasOwn(value, name) || list(needed).every((other) => Object.hasOwn(value, String(other))),
  );
}

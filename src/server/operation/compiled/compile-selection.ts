import {
  defaultFieldResolver,
  type FieldNode,
  getArgumentValues,
  getNamedType,
  getNullableType,
  type GraphQLAbstractType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  type GraphQLLeafType,
} from 'graphql';
import { maxAnswerObjects } from '../../../graphql/answer-budget.ts';
import { createNameSizes, type Fragments } from '../../../graphql/answer-size.ts';
import type { Context } from '../../../graphql/context.ts';
import { type Resolve, resolverOf } from '../../../graphql/limit-answers.ts';
import { isIncluded } from '../../../graphql/selection.ts';
import { sizeOfValue } from '../../../lib/json-size.ts';
import { withoutFrames } from '../../../lib/without-frames.ts';

/** What one answer has used of its budget so far. */
export interface Charge {
  readonly maxBytes: number;
  bytes: number;
  objects: number;
}

/** Writes a value as the JSON text that graphql-js and `JSON.stringify` would produce. Throws if only graphql-js can. */
export type Write = (value: unknown, context: Context, charge: Charge) => string;

export interface SelectionCompiler {
  /** For the fields that the selections pick from a source of this type. */
  compileObject(type: GraphQLObjectType, selectionSets: readonly SelectionSetNode[]): Write;
  /** For the value that a field of this type returned. */
  compileOutput(type: GraphQLOutputType, nodes: readonly FieldNode[]): Write;
}

interface CompiledField {
  /** The name with its punctuation. */
  readonly name: string;
  readonly write: (source: unknown, context: Context, charge: Charge) => string;
}

/**
 * Compiles selections without variables to functions that call the schema's resolvers synchronously. A write throws, and the
 * caller lets graphql-js execute the operation, if a resolver throws, returns a promise or reads `info`, if a non-null place
 * has no value, and if the answer exceeds its budget. Errors and their paths therefore always come from graphql-js.
 */
export function createSelectionCompiler(schema: GraphQLSchema, fragments: Fragments): SelectionCompiler {
  const sizeOfNames = createNameSizes();
  const unsupported = withoutFrames(new Error('only graphql-js can execute this part of the selection'));
  const fail = (): never => {
    throw unsupported;
  };
  // Resolvers receive it in place of the info of graphql-js.
  const noInfo = new Proxy({}, { get: fail }) as Parameters<Resolve>[3];

  const compileObject = (type: GraphQLObjectType, selectionSets: readonly SelectionSetNode[]): Write => {
    const fields: CompiledField[] = [];
    for (const [key, nodes] of collectFields(schema, fragments, type, selectionSets)) {
      const name = `${fields.length === 0 ? '{' : ','}${JSON.stringify(key)}:`;
      fields.push({ name, write: compileField(type, nodes) });
    }
    const { isTypeOf } = type;
    return (source, context, charge) => {
      if (isTypeOf && isTypeOf(source, context, noInfo) !== true) fail();
      let text = '';
      for (const { name, write } of fields) text += name + write(source, context, charge);
      return text === '' ? '{}' : `${text}}`;
    };
  };

  const compileField = (type: GraphQLObjectType, nodes: readonly FieldNode[]): CompiledField['write'] => {
    const [node] = nodes;
    if (!node) return fail();
    if (node.name.value === '__typename') {
      const text = JSON.stringify(type.name);
      return () => text;
    }
    const field = type.getFields()[node.name.value] ?? fail();
    const resolve = resolverOf(field);
    const resolveField: Resolve = resolve === defaultFieldResolver ? readMember(field.name, fail) : resolve;
    const args = getArgumentValues(field, node);
    const write = compileOutput(field.type, nodes);
    const isLeaf = isLeafType(getNamedType(field.type));
    const namesSize = isLeaf ? undefined : sizeOfNames({ fieldNodes: nodes, fragments });
    return (source, context, charge) => {
      const value: unknown = resolveField(source, args, context, noInfo);
      return isCharged(value, namesSize, charge) ? write(value, context, charge) : fail();
    };
  };

  const compileOutput = (type: GraphQLOutputType, nodes: readonly FieldNode[]): Write => {
    const isNullable = !isNonNullType(type);
    const write = compilePresent(getNullableType(type), nodes);
    return (value, context, charge) => {
      if (value === null || value === undefined) return isNullable ? 'null' : fail();
      if (typeof value === 'object') {
        if (value instanceof Error) fail();
        if ('then' in value && typeof value.then === 'function') {
          // graphql-js calls the resolver again and handles the outcome.
          if (value instanceof Promise) value.catch(() => {});
          fail();
        }
      }
      return write(value, context, charge);
    };
  };

  const compilePresent = (type: GraphQLOutputType, nodes: readonly FieldNode[]): Write => {
    if (isLeafType(type)) return compileLeaf(type, fail);
    if (isListType(type)) {
      const item = compileOutput(type.ofType, nodes);
      return (value, context, charge) => {
        const values: readonly unknown[] = Array.isArray(value) ? value : fail();
        let text = '';
        for (const each of values) text += (text === '' ? '[' : ',') + item(each, context, charge);
        return text === '' ? '[]' : `${text}]`;
      };
    }
    const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    if (isObjectType(type)) return compileObject(type, selectionSets);
    return isAbstractType(type) ? compileAbstract(type, selectionSets) : fail();
  };

  const compileAbstract = (type: GraphQLAbstractType, selectionSets: readonly SelectionSetNode[]): Write => {
    const resolveType = type.resolveType ?? fail();
    const writes = new Map<unknown, Write>();
    return (value, context, charge) => {
      const name: unknown = resolveType(value, context, noInfo, type);
      let write = writes.get(name);
      if (!write) {
        const runtimeType = typeof name === 'string' ? schema.getType(name) : undefined;
        if (!isObjectType(runtimeType) || !schema.isSubType(type, runtimeType)) return fail();
        write = compileObject(runtimeType, selectionSets);
        writes.set(name, write);
      }
      return write(value, context, charge);
    };
  };
  return { compileObject, compileOutput };
}

/**
 * Charges what a field returned, as in `limitAnswers`. False if the answer has no room for it.
 * @param namesSize size of the names in each object. Undefined for leaf values.
 */
export function isCharged(value: unknown, namesSize: number | undefined, charge: Charge): boolean {
  if (value === null || value === undefined) return true;
  if (namesSize === undefined) charge.bytes += sizeOfValue(value, charge.maxBytes - charge.bytes);
  else {
    const count = Array.isArray(value) ? value.length : 1;
    charge.bytes += count * namesSize;
    charge.objects += count;
  }
  return charge.bytes <= charge.maxBytes && charge.objects <= maxAnswerObjects;
}

function compileLeaf(type: GraphQLLeafType, fail: () => never): Write {
  return (value) => {
    const serialized: unknown = type.serialize(value);
    if (serialized === null || serialized === undefined) fail();
    return toPlainText(serialized) ?? JSON.stringify(serialized) ?? fail();
  };
}

/** Longer strings are rarely plain. */
const maxPlainChars = 100;

/** The JSON text of common values, several times faster than JSON.stringify, which returns undefined for a function or symbol. */
function toPlainText(value: unknown): string | undefined {
  if (typeof value === 'string')
    return value.length <= maxPlainChars && /^[ !#-[\]-\u007E]*$/.test(value) ? `"${value}"` : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'boolean' ? String(value) : undefined;
}

/** Like the default resolver, but leaves methods to graphql-js. */
function readMember(name: string, fail: () => never): Resolve {
  return (source) => {
    if (typeof source !== 'object' || source === null) return undefined;
    const value: unknown = Reflect.get(source, name);
    return typeof value === 'function' ? fail() : value;
  };
}

/** The nodes for each name of the answer, in its order. The conditions of `@skip` and `@include` must not use variables. */
export function collectFields(
  schema: GraphQLSchema,
  fragments: Fragments,
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
): ReadonlyMap<string, readonly FieldNode[]> {
  const nodesByKey = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (!isIncluded(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        const nodes = nodesByKey.get(key);
        if (nodes) nodes.push(selection);
        else nodesByKey.set(key, [selection]);
        continue;
      }
      let inner: Fragments[string] | typeof selection = selection;
      if (inner.kind === Kind.FRAGMENT_SPREAD) {
        const { value } = inner.name;
        const fragment = fragments[value];
        if (visited.has(value) || !fragment) continue;
        visited.add(value);
        inner = fragment;
      }
      const condition = inner.typeCondition && schema.getType(inner.typeCondition.name.value);
      const applies =
        !condition || condition === type || (isAbstractType(condition) && schema.isSubType(condition, type));
      if (applies) collect(inner.selectionSet);
    }
  };
  for (const selectionSet of selectionSets) collect(selectionSet);
  return nodesByKey;
}

import {
  type DocumentNode,
  type FieldNode,
  getArgumentValues,
  getNamedType,
  getVariableValues,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isLeafType,
  type OperationDefinitionNode,
} from 'graphql';
import { createNameSizes } from '../../../graphql/answer-size.ts';
import type { Context, RootValues } from '../../../graphql/context.ts';
import { resolverOf } from '../../../graphql/limit-answers.ts';
import { createTaskSelections } from '../../../graphql/task-selections.ts';
import { largeChars } from '../../../lib/json-size.ts';
import {
  type Charge,
  collectFields,
  createSelectionCompiler,
  isCharged,
  type Write,
} from './compile-selection.ts';
import { fragmentsOf } from '../operation-limits.ts';
import { compileTaskIds, type FindTaskIds } from './compile-task-ids.ts';
import { usesVariables } from './uses-variables.ts';

/** Runs a query. Never rejects. */
export type CompiledQuery = (
  context: Context,
  variables: Readonly<Record<string, unknown>>,
) => Promise<QueryOutcome>;

interface QueryOutcome {
  /** The JSON text of the answer. Undefined if graphql-js must execute the query. */
  readonly text?: string;
  /** What the root fields returned, by name in the answer. */
  readonly rootValues?: RootValues;
  /** Whether the compiled selection cannot write this answer. False for expected errors. */
  readonly isUnsupported?: boolean;
}

interface RootField {
  readonly key: string;
  readonly node: FieldNode;
  /** Whether its selection on tasks needs reads. */
  readonly readsTasks: boolean;
  /** The name with its punctuation. */
  readonly name: string;
  /** The value of the field, or a promise of it. Undefined for `__typename`. */
  readonly resolve: ((context: Context, request: RootRequest) => unknown) | undefined;
  readonly write: Write;
}

interface RootRequest {
  readonly coerced: GraphQLResolveInfo['variableValues'];
}

/**
 * Compiles a query: its root fields resolve as in graphql-js, and a compiled selection writes what they return. Returns
 * undefined if variables occur elsewhere than in arguments of root fields, or if a part is not supported.
 */
export function compileQuery(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CompiledQuery | undefined {
  const root = schema.getQueryType();
  if (!root) return undefined;
  try {
    const fields = compileRoot({ schema, root, document, operation });
    const findIds = fields.every(({ readsTasks }) => readsTasks)
      ? compileTaskIds(
          operation,
          fields.map(({ node }) => node),
        )
      : undefined;
    if (findIds) return (context, variables) => runTaskQuery(fields, context, findIds(variables));
    return (context, variables) => runQuery({ schema, operation, fields }, context, variables);
  } catch {
    return undefined;
  }
}

interface RootOptions {
  readonly schema: GraphQLSchema;
  readonly root: GraphQLObjectType;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** @throws if a part is not supported */
function compileRoot({ schema, root, document, operation }: RootOptions): readonly RootField[] {
  const fragments = Object.fromEntries(fragmentsOf(document));
  const selected = collectFields(schema, fragments, root, [operation.selectionSet]);
  const below = [...selected.values()].flat().flatMap(({ selectionSet }) => selectionSet ?? []);
  if ([...below, ...Object.values(fragments)].some(usesVariables))
    throw new Error('variables below the root are not supported');
  const compiler = createSelectionCompiler(schema, fragments);
  const sizeOfNames = createNameSizes();
  const selections = createTaskSelections();
  return [...selected].map(([key, nodes], index) => {
    const name = `${index === 0 ? '' : ','}${JSON.stringify(key)}:`;
    const [node] = nodes;
    if (node?.name.value === '__typename') {
      const text = JSON.stringify(root.name);
      return { key, name, node, readsTasks: false, resolve: undefined, write: () => text };
    }
    const field = node && root.getFields()[node.name.value];
    if (!field) throw new Error('introspection is not supported');
    const write = compiler.compileOutput(field.type, nodes);
    const isLeaf = isLeafType(getNamedType(field.type));
    const namesSize = isLeaf ? undefined : sizeOfNames({ fieldNodes: nodes, fragments });
    const resolver = resolverOf(field);
    const toInfo = createInfo({ schema, root, operation, fragments, key, nodes, field });
    return {
      key,
      name,
      node,
      readsTasks: selections.readsTask(toInfo({})),
      resolve: (context, { coerced }) =>
        resolver(undefined, getArgumentValues(field, node, coerced), context, toInfo(coerced)),
      write(value, context, charge) {
        if (!isCharged(value, namesSize, charge)) throw new Error('the answer exceeds its budget');
        return write(value, context, charge);
      },
    };
  });
}

interface InfoOptions extends Omit<RootOptions, 'document'> {
  readonly fragments: GraphQLResolveInfo['fragments'];
  readonly key: string;
  readonly nodes: readonly FieldNode[];
  readonly field: { readonly name: string; readonly type: GraphQLResolveInfo['returnType'] };
}

/** Like graphql-js, for a root field. */
function createInfo({ schema, root, operation, fragments, key, nodes, field }: InfoOptions) {
  const path = { prev: undefined, key, typename: root.name };
  return (variableValues: GraphQLResolveInfo['variableValues']): GraphQLResolveInfo => {
    const info: Omit<GraphQLResolveInfo, 'getAbortSignal' | 'getAsyncHelpers'> = {
      fieldName: field.name,
      fieldNodes: nodes,
      returnType: field.type,
      parentType: root,
      path,
      schema,
      fragments,
      rootValue: undefined,
      operation,
      variableValues,
    };
    // graphql-js 16 does not set the two members either.
    return info as GraphQLResolveInfo;
  };
}

interface Plan {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fields: readonly RootField[];
}

async function runQuery(
  { schema, operation, fields }: Plan,
  context: Context,
  variables: Readonly<Record<string, unknown>>,
): Promise<QueryOutcome> {
  // graphql-js reports the errors.
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
    maxErrors: 0,
  });
  if (!coerced) return {};
  const rootValues = new Map<string, () => unknown>();
  const found = fields.map(({ key, resolve }) => {
    if (!resolve) return undefined;
    try {
      const value = resolve(context, { coerced });
      rootValues.set(key, () => value);
      return value;
    } catch (error) {
      rootValues.set(key, () => {
        throw error;
      });
      return Promise.reject(error);
    }
  });
  let values: readonly unknown[];
  try {
    values = await settle(found);
  } catch {
    return { rootValues };
  }
  const text = writeAnswer(fields, values, context);
  return text === undefined ? { rootValues, isUnsupported: true } : { text };
}

/** Root fields that only read tasks share one read. Afterwards graphql-js finds its outcomes in the loader. */
async function runTaskQuery(
  fields: readonly RootField[],
  context: Context,
  idsByField: ReturnType<FindTaskIds>,
): Promise<QueryOutcome> {
  if (!idsByField || !context.caller) return {};
  const ids = idsByField.flat();
  const outcomes = await context.loaders.task.loadAll(ids);
  const isFound = outcomes.every(
    (outcome, index) => !(outcome instanceof Error) && (!outcome || outcome.id === ids[index]),
  );
  if (!isFound) return {};
  let next = 0;
  const values = idsByField.map((wanted) =>
    typeof wanted === 'string' ? outcomes[next++] : outcomes.slice(next, (next += wanted.length)),
  );
  const text = writeAnswer(fields, values, context);
  return text === undefined ? { isUnsupported: true } : { text };
}

/** Undefined if only graphql-js can. */
function writeAnswer(
  fields: readonly RootField[],
  values: readonly unknown[],
  context: Context,
): string | undefined {
  // Larger answers are written in pieces.
  const maxBytes = Math.min(context.budget.remainingBytes, largeChars);
  const charge: Charge = { maxBytes, bytes: 0, objects: 0 };
  try {
    let text = '{"data":{';
    for (const [index, { name, write }] of fields.entries())
      text += name + write(values[index], context, charge);
    return `${text}}}`;
  } catch {
    return undefined;
  }
}

/** Waits for the values of all root fields, and for the items of their lists. */
async function settle(found: readonly unknown[]): Promise<readonly unknown[]> {
  return found.length === 1 ? [await settleItems(found[0])] : Promise.all(found.map(settleItems));
}

/** As soon as a field has its list: an item that fails while other fields wait needs a handler. */
async function settleItems(found: unknown): Promise<unknown> {
  const value = await found;
  const hasPromises = Array.isArray(value) && value.some((item: unknown) => item instanceof Promise);
  return hasPromises ? Promise.all(value) : value;
}

import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parseType,
  print,
  type VariableDefinitionNode,
} from 'graphql';
import { asJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import { fragmentsOf } from '../operation/operation-limits.ts';
import { mergeFields } from '../operation/merged-fields.ts';
import { withRootField } from '../operation/single-root.ts';

/** A subscription that can be opened again from a position in its events. It never creates anything. */
export interface ResumableOperation {
  readonly document: string;
  readonly variables: JsonObject;
  /** The variable for the id of the generation, if the subscription began with a create. */
  readonly idVariable?: string | undefined;
  /** The variable for a position. Absent if the events have none. */
  readonly afterVariable?: string | undefined;
}

export interface ToResume {
  readonly operation: ResumableOperation;
  /** The arguments of the root field, as the client sent them. Undefined if they are invalid. */
  readonly args: Readonly<Record<string, unknown>> | undefined;
  /** Name of the root field in the events. */
  readonly responseKey: string;
  readonly isCreate: boolean;
  /** Whether its events are changes without a beginning: without a position, they begin with the next one. */
  readonly isFeed: boolean;
}

interface Source {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: unknown;
}

/**
 * The operation that continues a valid subscription. The root field of a create is replaced by the field that follows its
 * generation (`followedBy` in its extensions), so its input is not part of it.
 */
export function toResumable({ schema, document, operationName, variableValues }: Source): ToResume {
  const operation = getOperationAST(document, operationName);
  const type = schema.getSubscriptionType();
  if (!operation || !type) throw new TypeError('the document has no such subscription');
  const fragments = fragmentsOf(document);
  const [root] = mergeFields([operation.selectionSet], { schema, fragments, parent: type });
  if (!root) throw new TypeError('a subscription has a root field');
  const { field, node } = root;
  const variables = asJsonObject(variableValues) ?? {};
  const followedBy = field.extensions['followedBy'];
  const target = typeof followedBy === 'string' ? type.getFields()[followedBy] : field;
  if (!target) throw new TypeError(`no subscription field is named ${String(followedBy)}`);
  const isCreate = target !== field;
  const names = new Set(operation.variableDefinitions?.map(({ variable }) => variable.name.value));
  const idVariable = isCreate ? unusedName('generationId', names) : undefined;
  const after = target.args.find(({ name }) => name === 'after');
  const afterVariable = after ? unusedName('afterPosition', names) : undefined;
  const added = [
    ...(idVariable === undefined ? [] : [{ argument: 'id', variable: idVariable }]),
    ...(afterVariable === undefined ? [] : [{ argument: 'after', variable: afterVariable }]),
  ];
  const responseKey = (node.alias ?? node.name).value;
  const kept = (node.arguments ?? []).filter(
    ({ name: { value } }) =>
      target.args.some(({ name }) => name === value) && !added.some(({ argument }) => argument === value),
  );
  const resumed: FieldNode = {
    kind: Kind.FIELD,
    alias: { kind: Kind.NAME, value: responseKey },
    name: { kind: Kind.NAME, value: target.name },
    arguments: [...kept, ...added.map(({ argument, variable }) => toArgument(argument, variable))],
  };
  const { document: single, variables: used } = withRootField(
    { ...operation, directives: [] },
    {
      field: resumed,
      selectionSets: root.selectionSets,
      fragments,
      added: added.map(({ argument, variable }) => toDefinition(target, argument, variable)),
    },
  );
  return {
    operation: {
      document: print(single),
      variables: Object.fromEntries(Object.entries(variables).filter(([name]) => used.has(name))),
      ...(idVariable !== undefined && { idVariable }),
      ...(afterVariable !== undefined && { afterVariable }),
    },
    args: argumentsOf(schema, operation, { field, node, variables }),
    responseKey,
    isCreate,
    isFeed: String(after?.type) === 'String',
  };
}

/** Has the type of the argument. */
function toDefinition(
  { args }: GraphQLField<unknown, unknown>,
  argument: string,
  variable: string,
): VariableDefinitionNode {
  const type = args.find(({ name }) => name === argument)?.type ?? 'ID!';
  return { kind: Kind.VARIABLE_DEFINITION, variable: toVariable(variable), type: parseType(String(type)) };
}

function argumentsOf(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  {
    field,
    node,
    variables,
  }: {
    readonly field: GraphQLField<unknown, unknown>;
    readonly node: FieldNode;
    readonly variables: Readonly<Record<string, unknown>>;
  },
): Readonly<Record<string, unknown>> | undefined {
  const { coerced } = getVariableValues(schema, variableDefinitions, variables, { maxErrors: 1 });
  if (!coerced) return undefined;
  try {
    return getArgumentValues(field, node, coerced);
  } catch {
    return undefined;
  }
}

function toVariable(name: string) {
  return { kind: Kind.VARIABLE as const, name: { kind: Kind.NAME as const, value: name } };
}

function toArgument(name: string, variable: string): ArgumentNode {
  return { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: name }, value: toVariable(variable) };
}

function unusedName(name: string, used: ReadonlySet<string>): string {
  return used.has(name) ? unusedName(`${name}_`, used) : name;
}

/** Its variables at a position. */
export function variablesAt(
  { variables, idVariable, afterVariable }: ResumableOperation,
  at: { readonly generationId?: string | undefined; readonly after?: Json | undefined },
): JsonObject {
  return {
    ...variables,
    ...(idVariable !== undefined && at.generationId !== undefined && { [idVariable]: at.generationId }),
    ...(afterVariable !== undefined && at.after !== undefined && { [afterVariable]: at.after }),
  };
}

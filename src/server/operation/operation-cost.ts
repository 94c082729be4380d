import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isIntrospectionType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { isRecord as isJsonObject } from '../../lib/json.ts';
import { ownMember } from '../../lib/members.ts';
import { mergeFields } from './merged-fields.ts';
import { defaultPageSize, maxPageSize } from '../../graphql/connection.ts';
import { isConnection, isRecordType } from '../../graphql/record-types.ts';
import { maxIds } from '../../graphql/node.ts';
import { maxRepresentations } from '../../graphql/subgraph/entities.ts';

export interface CostRequest {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** As received. `anyVariables` counts every variable with its largest value. */
  readonly variables: unknown;
}

/** Variables for an upper bound of the cost. */
export const anyVariables = Symbol('any variables');

/**
 * The number of records that a valid operation can return: objects with an id, such as generations and tasks. Pages and lists
 * of ids count with their requested length, and each alias counts. The lists inside a record are not known yet: they count
 * against the budget of the answer.
 */
export function countRecords(request: CostRequest): number {
  const { schema, operation } = request;
  const root = schema.getRootType(operation.operation);
  return root ? countSelected([operation.selectionSet], { request, parent: root, pageSize: 1 }) : 0;
}

interface Place {
  readonly request: CostRequest;
  readonly parent: GraphQLNamedType;
  /** Length of the lists of a connection. */
  readonly pageSize: number;
}

function countSelected(selectionSets: readonly SelectionSetNode[], place: Place): number {
  const { request, parent } = place;
  const { schema, fragments } = request;
  let count = 0;
  for (const { field, node, selectionSets: inner } of mergeFields(selectionSets, {
    schema,
    fragments,
    parent,
  })) {
    const type = getNamedType(field.type);
    if (inner.length === 0 || isIntrospectionType(type)) continue;
    const size = lengthOf(field, node, place);
    const pageSize = isConnection(type) ? pageSizeOf(node, request) : 1;
    const below = countSelected(inner, { request, parent: type, pageSize });
    count += size * (Number(isRecordType(type, schema)) + below);
  }
  return count;
}

/** The requested length of a list. Resolvers refuse longer ones, with a better message. */
function lengthOf(
  { type }: GraphQLField<unknown, unknown>,
  node: FieldNode,
  { request, pageSize }: Place,
): number {
  if (!isListType(getNullableType(type))) return 1;
  const ids = argumentOf(node, 'ids', request);
  if (ids === Infinity) return maxIds;
  if (Array.isArray(ids)) return Math.min(ids.length, maxIds);
  const representations = argumentOf(node, 'representations', request);
  if (representations === Infinity) return maxRepresentations;
  if (Array.isArray(representations)) return Math.min(representations.length, maxRepresentations);
  return pageSize;
}

function pageSizeOf(node: FieldNode, request: CostRequest): number {
  const size = argumentOf(node, 'last', request) ?? argumentOf(node, 'first', request) ?? defaultPageSize;
  return typeof size === 'number' ? Math.min(Math.max(size, 0), maxPageSize) : defaultPageSize;
}

/** A number, a list, or undefined for an absent or null argument. */
function argumentOf(node: FieldNode, name: string, request: CostRequest): unknown {
  const argument = node.arguments?.find((candidate) => candidate.name.value === name);
  return argument && toValue(argument.value, request);
}

function toValue(value: ValueNode, request: CostRequest): unknown {
  const { operation, variables } = request;
  if (value.kind === Kind.INT) return Number(value.value);
  if (value.kind === Kind.LIST) return value.values;
  if (value.kind === Kind.STRING || value.kind === Kind.OBJECT) return [value]; // A single value is a list of one.
  if (value.kind !== Kind.VARIABLE) return undefined;
  if (variables === anyVariables) return Infinity;
  const { value: name } = value.name;
  const given = isJsonObject(variables) ? ownMember(variables, name) : undefined;
  if (given !== undefined) return typeof given === 'string' ? [given] : (given ?? undefined);
  const defined = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
  return defined?.defaultValue && toValue(defined.defaultValue, request);
}

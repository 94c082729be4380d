import {
  type DocumentNode,
  type ExecutionArgs,
  type FieldNode,
  getOperationAST,
  GraphQLObjectType,
  GraphQLSchema,
  isIntrospectionType,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { mergeFields } from './merged-fields.ts';
import { fragmentsOf } from './operation-limits.ts';
import { type SingleRoot, withRootField } from './single-root.ts';

/**
 * Execution arguments for each event of a valid subscription. graphql-js would coerce all variables again for every event (a
 * whole conversation per token), although usually only the arguments of the root field use them. Events therefore run against
 * a root type without arguments, and only with the variables that the selection below the root uses. `variableValues` is
 * absent if it uses none.
 */
export function toEventArgs(args: ExecutionArgs): ExecutionArgs {
  const { schema, contextValue, rootValue, variableValues } = args;
  const found = eventOperationOf(args);
  if (!found) return args;
  const { document, variables } = found;
  const used = Object.entries(variableValues ?? {}).filter(([name]) => variables.has(name));
  return {
    schema: eventSchemaOf(schema),
    document,
    contextValue,
    rootValue,
    ...(variables.size > 0 && { variableValues: Object.fromEntries(used) }),
  };
}

const schemas = new WeakMap<GraphQLSchema, GraphQLSchema>();

/** The same schema, but the query root has the subscription fields without their arguments. */
function eventSchemaOf(schema: GraphQLSchema): GraphQLSchema {
  const known = schemas.get(schema);
  if (known) return known;
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const subscription = schema.getSubscriptionType();
  const fields = Object.entries(subscription?.toConfig().fields ?? {}).map(
    ([name, { type, extensions, resolve }]) =>
      [name, { type, extensions, ...(resolve && { resolve }) }] as const,
  );
  const eventSchema = new GraphQLSchema({
    query: new GraphQLObjectType({
      name: subscription?.name ?? 'Subscription',
      fields: Object.fromEntries(fields),
    }),
    types: Object.values(schema.getTypeMap()).filter(
      (type) => !isIntrospectionType(type) && !roots.some((root) => root === type),
    ),
    directives: schema.getDirectives(),
    // All parts come from a valid schema.
    assumeValid: true,
  });
  schemas.set(schema, eventSchema);
  return eventSchema;
}

const documents = new WeakMap<DocumentNode, Map<string, SingleRoot | undefined>>();

function eventOperationOf({ schema, document, operationName }: ExecutionArgs): SingleRoot | undefined {
  const name = operationName ?? '';
  const known = documents.get(document) ?? new Map<string, SingleRoot | undefined>();
  documents.set(document, known);
  if (!known.has(name)) {
    const operation = getOperationAST(document, operationName);
    known.set(name, operation ? toEventOperation(schema, document, operation) : undefined);
  }
  return known.get(name);
}

/** Undefined if the operation has no root field. */
function toEventOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): SingleRoot | undefined {
  const fragments = fragmentsOf(document);
  const parent = schema.getSubscriptionType();
  const [root] = parent ? mergeFields([operation.selectionSet], { schema, fragments, parent }) : [];
  if (!root) return undefined;
  const field: FieldNode = { ...root.node, arguments: [] };
  const event = { ...operation, operation: OperationTypeNode.QUERY };
  // Also without the fragments of the root type, whose field has arguments.
  return withRootField(event, { field, selectionSets: root.selectionSets, fragments });
}

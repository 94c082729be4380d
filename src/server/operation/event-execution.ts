import {
  type DocumentNode,
  type ExecutionArgs,
  type FieldNode,
  getOperationAST,
  GraphQLObjectType,
  GraphQLSchema,
  isIntrospectionType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  separateOperations,
  visit,
} from 'graphql';
import { mergeFields } from './merged-fields.ts';
import { fragmentsOf } from './operation-limits.ts';

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

interface EventOperation {
  readonly document: DocumentNode;
  /** The names of the variables that it uses. */
  readonly variables: ReadonlySet<string>;
}

const documents = new WeakMap<DocumentNode, Map<string, EventOperation | undefined>>();

function eventOperationOf({ schema, document, operationName }: ExecutionArgs): EventOperation | undefined {
  const name = operationName ?? '';
  const known = documents.get(document) ?? new Map<string, EventOperation | undefined>();
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
): EventOperation | undefined {
  const fragments = fragmentsOf(document);
  const parent = schema.getSubscriptionType();
  const [root] = parent ? mergeFields([operation.selectionSet], { schema, fragments, parent }) : [];
  if (!root) return undefined;
  const selections = root.selectionSets.flatMap((set) => set.selections);
  const field: FieldNode = {
    ...root.node,
    arguments: [],
    ...(selections.length > 0 && { selectionSet: { kind: Kind.SELECTION_SET, selections } }),
  };
  const event: OperationDefinitionNode = {
    ...operation,
    operation: OperationTypeNode.QUERY,
    variableDefinitions: [],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [field] },
  };
  const whole: DocumentNode = { kind: Kind.DOCUMENT, definitions: [event, ...fragments.values()] };
  // Without the fragments of the root type, whose field has arguments.
  const [separated = whole] = Object.values(separateOperations(whole));
  const variables = new Set<string>();
  visit(separated, { Variable: ({ name }) => void variables.add(name.value) });
  const variableDefinitions = (operation.variableDefinitions ?? []).filter(({ variable }) =>
    variables.has(variable.name.value),
  );
  const definitions = separated.definitions.map((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? { ...definition, variableDefinitions } : definition,
  );
  return { document: { kind: Kind.DOCUMENT, definitions }, variables };
}

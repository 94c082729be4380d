import {
  type DocumentNode,
  type ExecutionArgs,
  getOperationAST,
  GraphQLObjectType,
  GraphQLSchema,
  isIntrospectionType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from 'graphql';

/**
 * What to execute for each event of a subscription. graphql-js would coerce all variables of the operation again for each
 * of them, a whole conversation per token, though only the subscription's own arguments use them. So an event runs
 * against a root without arguments, and without variables; where the selection below the root needs them, as it was.
 */
export function toEventArgs(args: ExecutionArgs): ExecutionArgs {
  const document = eventDocumentOf(args.document, args.operationName);
  if (!document) return args;
  const { contextValue, rootValue } = args;
  return { schema: eventSchemaOf(args.schema), document, contextValue, rootValue };
}

const schemas = new WeakMap<GraphQLSchema, GraphQLSchema>();

/** The same types under a root of the same name, whose fields are the subscription's without their arguments. */
function eventSchemaOf(schema: GraphQLSchema): GraphQLSchema {
  const known = schemas.get(schema);
  if (known) return known;
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const subscription = schema.getSubscriptionType();
  const fields = Object.entries(subscription?.toConfig().fields ?? {}).map(
    ([name, { type, resolve }]) => [name, { type, ...(resolve && { resolve }) }] as const,
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
    // Its parts are those of a schema that is valid.
    assumeValid: true,
  });
  schemas.set(schema, eventSchema);
  return eventSchema;
}

const documents = new WeakMap<DocumentNode, Map<string, DocumentNode | undefined>>();

function eventDocumentOf(
  document: DocumentNode,
  operationName: string | null | undefined,
): DocumentNode | undefined {
  const name = operationName ?? '';
  const known = documents.get(document) ?? new Map<string, DocumentNode | undefined>();
  documents.set(document, known);
  if (!known.has(name)) {
    const operation = getOperationAST(document, operationName);
    known.set(name, operation ? toEventDocument(document, operation) : undefined);
  }
  return known.get(name);
}

/** Undefined where a variable is used below the root, or where the root field hides in a fragment. */
function toEventDocument(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): DocumentNode | undefined {
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const selections = operation.selectionSet.selections.flatMap((selection) =>
    selection.kind === Kind.FIELD && !selection.directives?.length ? [{ ...selection, arguments: [] }] : [],
  );
  const selectionSet = { ...operation.selectionSet, selections };
  const isSimple =
    selections.length === operation.selectionSet.selections.length && !operation.directives?.length;
  if (!isSimple || [selectionSet, ...fragments].some(usesVariables)) return undefined;
  const event: OperationDefinitionNode = {
    ...operation,
    operation: OperationTypeNode.QUERY,
    variableDefinitions: [],
    selectionSet,
  };
  return { kind: Kind.DOCUMENT, definitions: [event, ...fragments] };
}

function usesVariables(node: Parameters<typeof visit>[0]): boolean {
  let isUsed = false;
  visit(node, {
    Variable() {
      isUsed = true;
    },
  });
  return isUsed;
}

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
} from 'graphql';
import { usesVariables } from './compiled/uses-variables.ts';

/**
 * Execution arguments for each event of a subscription. graphql-js would coerce all variables again for every event (a whole
 * conversation per token), although usually only the arguments of the root field use them. Events therefore run against a
 * root type without arguments, and without variables. If the selection below the root uses variables, `args` is unchanged.
 */
export function toEventArgs(args: ExecutionArgs): ExecutionArgs {
  const document = eventDocumentOf(args.document, args.operationName);
  if (!document) return args;
  const { contextValue, rootValue } = args;
  return { schema: eventSchemaOf(args.schema), document, contextValue, rootValue };
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

/** Undefined if the selection below the root uses variables, or if a fragment or directive wraps the root field. */
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

import {
  type DocumentNode,
  type ExecutionArgs,
  getOperationAST,
  type GraphQLError,
  type GraphQLSchema,
  isObjectType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/**
 * Decides whether the failed part of an operation may have sent a create, which the gateway may have charged. Only the root
 * fields with an idempotency key send creates. They are found once, because an outage fails every root field.
 */
export function createMayCharge({
  schema,
  document,
  operationName,
}: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName'>): (error: GraphQLError) => boolean {
  let creates: ReadonlySet<string> | undefined;
  return ({ path }) => {
    creates ??= findCreates(schema, document, operationName);
    return path === undefined ? creates.size > 0 : creates.has(String(path[0]));
  };
}

/** The response keys of an operation's creates. */
function findCreates(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
): ReadonlySet<string> {
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!isObjectType(root)) return new Set();
  const keys = new Set<string>();
  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    Field(field) {
      const isCreate =
        types.getParentType() === root &&
        types.getFieldDef()?.args.some(({ name }) => name === 'idempotencyKey');
      if (isCreate) keys.add(field.alias?.value ?? field.name.value);
    },
  });
  for (const definition of document.definitions)
    if (definition === operation || definition.kind === Kind.FRAGMENT_DEFINITION) visit(definition, visitor);
  return keys;
}

import {
  type ExecutionArgs,
  type FieldNode,
  getOperationAST,
  type GraphQLError,
  isObjectType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** The fields of an operation that send creates, by response key: the root fields with an idempotency key. */
export function findCreateFields({
  schema,
  document,
  operationName,
}: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName'>): ReadonlyMap<string, FieldNode> {
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  const fields = new Map<string, FieldNode>();
  if (!isObjectType(root)) return fields;
  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    Field(field) {
      const isCreate =
        types.getParentType() === root &&
        types.getFieldDef()?.args.some(({ name }) => name === 'idempotencyKey');
      if (isCreate) fields.set(field.alias?.value ?? field.name.value, field);
    },
  });
  for (const definition of document.definitions)
    if (definition === operation || definition.kind === Kind.FRAGMENT_DEFINITION) visit(definition, visitor);
  return fields;
}

/**
 * Decides whether the failed part of an operation may have sent a create, which the gateway may have charged. Only the root
 * fields with an idempotency key send creates. They are found once, because an outage fails every root field.
 */
export function createMayCharge(
  operation: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName'>,
): (error: Pick<GraphQLError, 'path'>) => boolean {
  let creates: ReturnType<typeof findCreateFields> | undefined;
  return ({ path }) => {
    creates ??= findCreateFields(operation);
    return path === undefined ? creates.size > 0 : creates.has(String(path[0]));
  };
}

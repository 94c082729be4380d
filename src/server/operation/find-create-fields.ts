import { type ExecutionArgs, type FieldNode, getOperationAST, type GraphQLError, Kind } from 'graphql';
import type { Context } from '../../graphql/context.ts';
import { hasUniqueId } from '../../graphql/create.ts';
import { ownMember } from '../../lib/members.ts';
import { mergeFields } from './merged-fields.ts';
import { fragmentsOf } from './operation-limits.ts';

/** The fields of a valid operation that send creates, by response key: the root fields with an idempotency key. */
export function findCreateFields({
  schema,
  document,
  operationName,
}: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName'>): ReadonlyMap<string, FieldNode> {
  const operation = getOperationAST(document, operationName);
  const parent = operation && schema.getRootType(operation.operation);
  if (!parent) return new Map();
  const fields = mergeFields([operation.selectionSet], { schema, fragments: fragmentsOf(document), parent });
  const creates = fields.filter(({ field }) => field.args.some(({ name }) => name === 'idempotencyKey'));
  return new Map(creates.map(({ node }) => [(node.alias ?? node.name).value, node]));
}

/**
 * What failed in an operation: a create, or something that sends none. Only root fields with an idempotency key send creates.
 * 'create with an operation id': its client has no key that finds what it made.
 */
export type FailedPart =
  | 'create with a key'
  | 'create with an operation id'
  | 'create without a key'
  | 'no create';

/** Finds out what an error belongs to. The creates are found once, because an outage fails every root field. */
export function createFindFailedPart(
  operation: CreatingOperation,
): (error: Pick<GraphQLError, 'path'>) => FailedPart {
  let creates: ReturnType<typeof findCreateFields> | undefined;
  return ({ path }) => {
    creates ??= findCreateFields(operation);
    const field = creates.get(String(path?.[0]));
    const failed = path === undefined ? [...creates.values()] : field ? [field] : [];
    if (failed.length === 0) return 'no create';
    if (failed.every((create) => hasKey(create, operation))) return 'create with a key';
    return hasUniqueId(operation.contextValue) ? 'create with an operation id' : 'create without a key';
  };
}

/** The same for an operation that was not executed: only a key of its client may belong to a create that was sent before. */
export function findUnsentPart(operation: CreatingOperation): FailedPart {
  const creates = [...findCreateFields(operation).values()];
  return creates.some((create) => hasClientKey(create, operation)) ? 'create with a key' : 'no create';
}

/** An operation with its variables. An open subscription does not hold them: then they are null, and it counts as one with a key. */
export interface CreatingOperation extends Pick<
  ExecutionArgs,
  'schema' | 'document' | 'operationName' | 'variableValues'
> {
  readonly contextValue: Pick<Context, 'operationId' | 'transport'>;
}

function hasKey(field: FieldNode, operation: CreatingOperation): boolean {
  return operation.variableValues === null || hasClientKey(field, operation);
}

/** Whether a create field has a key of the client: as a literal, or as a variable with a value. */
export function hasClientKey(
  field: FieldNode,
  { document, operationName, variableValues }: Omit<CreatingOperation, 'contextValue'>,
): boolean {
  const value = field.arguments?.find(({ name }) => name.value === 'idempotencyKey')?.value;
  if (!value || value.kind === Kind.NULL) return false;
  if (value.kind !== Kind.VARIABLE) return true;
  const name = value.name.value;
  const given = ownMember(variableValues ?? {}, name);
  if (given !== undefined) return given !== null;
  const definitions = getOperationAST(document, operationName)?.variableDefinitions;
  const { defaultValue } = definitions?.find(({ variable }) => variable.name.value === name) ?? {};
  return defaultValue !== undefined && defaultValue.kind !== Kind.NULL;
}

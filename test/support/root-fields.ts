import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  getNamedType,
} from 'graphql';

/** Root fields that need no credential. */
export const publicFields: readonly string[] = ['inputSchema'];

export interface RootFieldOperation {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly name: string;
  /** A minimal operation: the field with only its required arguments. */
  readonly query: string;
}

/** One operation for every root field of the schema. */
export function rootFieldOperations(schema: GraphQLSchema): readonly RootFieldOperation[] {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const;
  return roots.flatMap(([kind, root]) =>
    Object.values(root?.getFields() ?? {}).map(({ name, args, type }) => {
      const required = args.filter(isRequiredArgument);
      const values = name === 'inputSchema' ? ['input: "ChatInput"'] : required.map(toMember);
      const selection = isCompositeType(getNamedType(type)) ? ' { __typename }' : '';
      const field = `${name}${values.length > 0 ? `(${values.join(', ')})` : ''}${selection}`;
      return { kind, name, query: `${kind} { ${field} }` };
    }),
  );
}

function toMember({ name, type }: GraphQLArgument | GraphQLInputField): string {
  return `${name}: ${toLiteral(type)}`;
}

function toLiteral(type: GraphQLInputType): string {
  if (isNonNullType(type)) return toLiteral(type.ofType);
  if (isListType(type)) return `[${toLiteral(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? 'null';
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const wanted = type.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField);
    return `{${wanted.map(toMember).join(', ')}}`;
  }
  switch (type.name) {
    case 'Int':
    case 'Float':
    case 'BigInt':
    case 'Number':
      return '1';
    case 'Boolean':
      return 'true';
    case 'JSON':
      return '{}';
    case 'URL':
      return '"https://example.com/a.png"';
    case 'DateTime':
      return '"2030-01-01T00:00:00Z"';
    default:
      return '"x"';
  }
}

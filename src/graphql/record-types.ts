import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

/** Whether the type is a page of a list. */
export function isConnection(type: GraphQLNamedType): boolean {
  return (isObjectType(type) || isInterfaceType(type)) && type.getFields()['edges'] !== undefined;
}

/** Whether an object of this type can have an id of its own. */
export function isRecordType(type: GraphQLNamedType, schema: GraphQLSchema): boolean {
  const types = isAbstractType(type) ? schema.getPossibleTypes(type) : isObjectType(type) ? [type] : [];
  return types.some((possible) => possible.getInterfaces().some(({ name }) => name === 'Node'));
}

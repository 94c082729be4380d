import { type GraphQLSchema, isIntrospectionType, isSpecifiedScalarType, printType } from 'graphql';

/** The SDL with types in order of their names, and members in the order of their definitions. */
export function printSortedSchema(schema: GraphQLSchema): string {
  return Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((type) => printType(type))
    .join('\n\n');
}

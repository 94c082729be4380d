import type { GraphQLObjectType } from 'graphql';

/** For the `extensions` of a type that other subgraphs of a supergraph may also define and return. */
export const shareable = { isShareable: true } as const;

export function isShareable({ extensions }: GraphQLObjectType): boolean {
  return extensions['isShareable'] === true;
}

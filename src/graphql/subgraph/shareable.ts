import type { GraphQLObjectType } from 'graphql';

/** For a type's `extensions`: a value that other subgraphs of a supergraph may define and return too. */
export const shareable = { isShareable: true } as const;

export function isShareable({ extensions }: GraphQLObjectType): boolean {
  return extensions['isShareable'] === true;
}

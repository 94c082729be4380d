import type { GraphQLObjectType } from 'graphql';

/** For a type's `extensions`: other subgraphs may define and return the type too. */
export const shareable = { isShareable: true } as const;

export function isShareable({ extensions }: GraphQLObjectType): boolean {
  return extensions['isShareable'] === true;
}

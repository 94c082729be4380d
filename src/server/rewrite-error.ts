import { GraphQLError } from 'graphql';

/** The same error at the same place with other words. What it was made from is left out: it may be masked. */
export function rewriteError(
  error: GraphQLError,
  {
    message = error.message,
    extensions,
  }: { message?: string; extensions: Readonly<Record<string, unknown>> },
): GraphQLError {
  const { nodes = null, source = null, positions = null, path = null } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { ...extensions } });
}

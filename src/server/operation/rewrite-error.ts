import { GraphQLError } from 'graphql';

/** Copies an error with a new message and extensions. Drops `originalError`, which may be masked. */
export function rewriteError(
  error: GraphQLError,
  {
    message = error.message,
    extensions,
    origin,
  }: {
    message?: string;
    extensions: Readonly<Record<string, unknown>>;
    /** Kept as `originalError`. Clients never see it. */
    origin?: Error;
  },
): GraphQLError {
  const { nodes = null, source = null, positions = null, path = null } = error;
  return new GraphQLError(message, {
    nodes,
    source,
    positions,
    path,
    originalError: origin,
    extensions: { ...extensions },
  });
}

import type { DocumentNode } from 'graphql';

/**
 * A document with the types of its result and its variables. GraphQL clients recognize it by its structure, which is that of
 * `@graphql-typed-document-node/core`.
 */
export interface TypedDocumentNode<
  Result = Readonly<Record<string, unknown>>,
  Variables = Readonly<Record<string, unknown>>,
> extends DocumentNode {
  /** Exists only as a type. */
  readonly __apiType?: (variables: Variables) => Result;
}

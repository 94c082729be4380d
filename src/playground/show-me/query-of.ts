import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type DocumentNode, print } from 'graphql';

/** An operation of this page, with the type of its result. */
export interface TypedText<Result, Variables> {
  readonly text: string;
  /** Never set: it carries the types. */
  readonly types?: (variables: Variables) => Result;
}

export type TypedQuery<Result, Variables> =
  | TypedText<Result, Variables>
  | TypedDocumentNode<Result, Variables>;

const texts = new WeakMap<object, string>();

/** The text of an operation. */
export function queryOf(query: TypedText<unknown, never> | DocumentNode): string {
  if ('text' in query) return query.text;
  const known = texts.get(query) ?? print(query);
  texts.set(query, known);
  return known;
}

import { type DocumentNode, print } from 'graphql';

const texts = new WeakMap<object, string>();

/** The text of a typed document. */
export function queryOf(document: object): string {
  const known = texts.get(document) ?? print(document as DocumentNode); // A typed document is a document.
  texts.set(document, known);
  return known;
}

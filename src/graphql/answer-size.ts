import { type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';
import { punctuation } from '../lib/json-size.ts';

/** The fragments of a document by name. */
export type Fragments = Readonly<Record<string, FragmentDefinitionNode | undefined>>;

/** A field of an answer: the nodes that select it. */
export interface SelectedField {
  readonly fieldNodes: readonly FieldNode[];
  readonly fragments: Fragments;
}

/**
 * Returns a function for the size of the names in each object that a field returns. It ignores type conditions and
 * directives, so the size may be too large. Remembers the size of each selection.
 */
export function createNameSizes(): (field: SelectedField) => number {
  const known = new WeakMap<SelectionSetNode, number>();
  const measure = (selectionSet: SelectionSetNode, fragments: Fragments): number => {
    let size = known.get(selectionSet);
    if (size !== undefined) return size;
    size = punctuation;
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) {
        size += (selection.alias ?? selection.name).value.length + punctuation;
        // graphql-js resolves it without a wrapper.
        if (selection.name.value === '__typename') size += maxTypeNameChars;
        continue;
      }
      const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
      if (inner) size += measure(inner.selectionSet, fragments);
    }
    known.set(selectionSet, size);
    return size;
  };
  return ({ fieldNodes, fragments }) =>
    fieldNodes.reduce(
      (size, { selectionSet }) => size + (selectionSet ? measure(selectionSet, fragments) : 0),
      0,
    );
}

/** Longer than every type name of the schema. */
const maxTypeNameChars = 50;

import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** Whether a field's selection asks for nothing but these fields, fragments included: then nothing else need be read. */
export function selectsOnly(info: GraphQLResolveInfo, free: ReadonlySet<string>): boolean {
  const isFree = (selectionSet: SelectionSetNode | undefined): boolean =>
    (selectionSet?.selections ?? []).every((selection) => {
      if (selection.kind === Kind.FIELD) return free.has(selection.name.value);
      if (selection.kind === Kind.INLINE_FRAGMENT) return isFree(selection.selectionSet);
      return isFree(info.fragments[selection.name.value]?.selectionSet);
    });
  return info.fieldNodes.every((node) => isFree(node.selectionSet));
}

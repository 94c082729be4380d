import { type GraphQLResolveInfo, isObjectType, Kind, type SelectionSetNode } from 'graphql';

export interface FreeFields {
  readonly typeName: string;
  readonly fields: ReadonlySet<string>;
}

/**
 * Whether a selection, including its fragments, has only these fields of an object of this type, so that nothing else
 * needs to be read. Fields of other types in the same selection do not count.
 */
export function selectsOnly(info: GraphQLResolveInfo, { typeName, fields }: FreeFields): boolean {
  const applies = (condition: string | undefined): boolean =>
    condition === undefined || condition === typeName || !isObjectType(info.schema.getType(condition));
  const isFree = (selectionSet: SelectionSetNode | undefined): boolean =>
    (selectionSet?.selections ?? []).every((selection) => {
      if (selection.kind === Kind.FIELD) return fields.has(selection.name.value);
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : info.fragments[selection.name.value];
      return !applies(fragment?.typeCondition?.name.value) || isFree(fragment?.selectionSet);
    });
  return info.fieldNodes.every((node) => isFree(node.selectionSet));
}

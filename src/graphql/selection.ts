import { type GraphQLResolveInfo, isObjectType, Kind, type SelectionSetNode } from 'graphql';

export interface FreeFields {
  readonly typeName: string;
  readonly fields: ReadonlySet<string>;
}

/**
 * Whether a field's selection asks for nothing of an object of this type but these fields, fragments included: then
 * nothing else need be read. What is asked of other types, beside it in one selection, does not count.
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

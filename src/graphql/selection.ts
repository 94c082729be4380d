import { type GraphQLResolveInfo, isObjectType, Kind, type SelectionSetNode } from 'graphql';

export interface RecordedFields {
  readonly typeName: string;
  readonly fields: ReadonlySet<string>;
}

/**
 * Whether a field selects only these fields of an object of this type, fragments included. Selections on other types
 * are ignored.
 */
export function selectsOnly(info: GraphQLResolveInfo, { typeName, fields }: RecordedFields): boolean {
  const applies = (condition: string | undefined): boolean =>
    condition === undefined || condition === typeName || !isObjectType(info.schema.getType(condition));
  const isCovered = (selectionSet: SelectionSetNode | undefined): boolean =>
    (selectionSet?.selections ?? []).every((selection) => {
      if (selection.kind === Kind.FIELD) return fields.has(selection.name.value);
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : info.fragments[selection.name.value];
      return !applies(fragment?.typeCondition?.name.value) || isCovered(fragment?.selectionSet);
    });
  return info.fieldNodes.every((node) => isCovered(node.selectionSet));
}

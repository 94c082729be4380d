import {
  type FieldNode,
  getDirectiveValues,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

export interface ObjectSelection {
  readonly typeName: string;
  readonly info: Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;
}

/**
 * Whether a selection on objects of this type has a field that passes the test, fragments included. Fields that are skipped
 * and selections on other object types are ignored.
 */
export function selectsField(
  selectionSet: SelectionSetNode | undefined,
  { typeName, info }: ObjectSelection,
  test: (field: FieldNode) => boolean,
): boolean {
  const applies = (condition: string | undefined): boolean =>
    condition === undefined || condition === typeName || !isObjectType(info.schema.getType(condition));
  const visit = (set: SelectionSetNode | undefined): boolean =>
    (set?.selections ?? []).some((selection) => {
      if (!isIncluded(selection, info.variableValues)) return false;
      if (selection.kind === Kind.FIELD) return test(selection);
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : info.fragments[selection.name.value];
      return applies(fragment?.typeCondition?.name.value) && visit(fragment?.selectionSet);
    });
  return visit(selectionSet);
}

/** Whether a request has this field of the objects of this type that the resolved field returns. */
export function asksFor(info: GraphQLResolveInfo, typeName: string, name: string): boolean {
  return info.fieldNodes.some(({ selectionSet }) =>
    selectsField(selectionSet, { typeName, info }, (field) => field.name.value === name),
  );
}

/** Evaluates `@skip` and `@include`. @param variableValues may be absent if no condition uses variables */
export function isIncluded(
  selection: SelectionNode,
  variableValues?: GraphQLResolveInfo['variableValues'],
): boolean {
  if (!selection.directives?.length) return true;
  const skip = getDirectiveValues(GraphQLSkipDirective, selection, variableValues);
  const include = getDirectiveValues(GraphQLIncludeDirective, selection, variableValues);
  return skip?.['if'] !== true && include?.['if'] !== false;
}

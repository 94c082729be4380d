import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';

/** A field of an answer, with the nodes that graphql-js merges into it. */
export interface MergedField {
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
  /** The selections of its nodes. Empty for leaf fields. */
  readonly selectionSets: readonly SelectionSetNode[];
}

export interface Selection {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly parent: GraphQLNamedType;
}

/** The fields of valid selections, with those of fragments for any type. Ignores `@skip` and `@include`. */
export function mergeFields(
  selectionSets: readonly SelectionSetNode[],
  selection: Selection,
): readonly MergedField[] {
  const merged = new Map<string, { readonly field: MergedField['field']; readonly nodes: FieldNode[] }>();
  const collect = (selectionSet: SelectionSetNode, parent: GraphQLNamedType): void => {
    for (const node of selectionSet.selections) {
      if (node.kind === Kind.FIELD) {
        const key = `${(node.alias ?? node.name).value} ${parent.name}`;
        const known = merged.get(key);
        const field = known ? known.field : fieldOf(parent, node.name.value);
        if (known) known.nodes.push(node);
        else if (field) merged.set(key, { field, nodes: [node] });
        continue;
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : selection.fragments.get(node.name.value);
      const condition = fragment?.typeCondition?.name.value;
      const type = condition === undefined ? parent : selection.schema.getType(condition);
      if (fragment && type) collect(fragment.selectionSet, type);
    }
  };
  for (const selectionSet of selectionSets) collect(selectionSet, selection.parent);
  return [...merged.values()].flatMap(({ field, nodes: [node, ...more] }) =>
    node
      ? [{ field, node, selectionSets: [node, ...more].flatMap(({ selectionSet }) => selectionSet ?? []) }]
      : [],
  );
}

/** A field by name. Undefined for `__typename`. */
function fieldOf(type: GraphQLNamedType, name: string): GraphQLField<unknown, unknown> | undefined {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}

import {
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
  type InlineFragmentNode,
  isAbstractType,
  isInterfaceType,
  Kind,
  type SelectionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/**
 * Replaces each inline fragment on an interface, such as `... on GengraphError`, by one fragment per object type. A client's cache
 * that does not know the schema drops the fields of the former, while the types of TypeScript have them.
 */
export function spellOutInterfaces(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const typeInfo = new TypeInfo(schema);
  const visitor = {
    SelectionSet: {
      leave(node: ASTNode & { readonly selections: readonly SelectionNode[] }) {
        const parent = typeInfo.getParentType();
        const possible = isAbstractType(parent) ? schema.getPossibleTypes(parent) : [];
        const expand = (selection: SelectionNode): readonly SelectionNode[] => {
          if (selection.kind !== Kind.INLINE_FRAGMENT) return [selection];
          const type = schema.getType(selection.typeCondition?.name.value ?? '');
          if (!isInterfaceType(type) || selection.directives?.length) return [selection];
          return possible
            .filter((member) => schema.isSubType(type, member))
            .map(({ name }) => fragmentOn(name, selection));
        };
        return { ...node, selections: mergeFragments(node.selections.flatMap(expand)) };
      },
    },
  };
  return visit(document, visitWithTypeInfo(typeInfo, visitor));
}

function fragmentOn(name: string, fragment: InlineFragmentNode): InlineFragmentNode {
  return {
    ...fragment,
    typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: name } },
  };
}

/** One fragment per type, at the place of its first. */
function mergeFragments(selections: readonly SelectionNode[]): readonly SelectionNode[] {
  const merged = new Map<SelectionNode | string, SelectionNode>();
  for (const selection of selections) {
    const name = selection.kind === Kind.INLINE_FRAGMENT ? selection.typeCondition?.name.value : undefined;
    const first = name === undefined ? undefined : merged.get(name);
    if (name === undefined || selection.kind !== Kind.INLINE_FRAGMENT || first?.kind !== Kind.INLINE_FRAGMENT)
      merged.set(name ?? selection, selection);
    else
      merged.set(name, {
        ...first,
        selectionSet: {
          ...first.selectionSet,
          selections: [...first.selectionSet.selections, ...selection.selectionSet.selections],
        },
      });
  }
  return [...merged.values()];
}

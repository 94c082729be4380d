import { GraphQLInt, type GraphQLResolveInfo, Kind, type SelectionSetNode, valueFromAST } from 'graphql';
import { checkPageSize } from './connection.ts';
import { isIncluded } from './selection.ts';

/**
 * Checks what would fail below a create only after it was sent: the conditions of `@skip` and `@include`, and page sizes.
 * Selections on other types are checked too, because the type of the result is not known yet.
 * @throws GraphQLError for a condition that is null, RequestError LIMIT_EXCEEDED or BAD_REQUEST for a page size
 */
export function checkSelection({
  fieldNodes,
  fragments,
  variableValues,
}: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>): void {
  const visited = new Set<string>();
  const visit = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      if (!isIncluded(selection, variableValues)) continue;
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const { value: name } = selection.name;
        if (visited.has(name)) continue;
        visited.add(name);
        visit(fragments[name]?.selectionSet);
        continue;
      }
      if (selection.kind === Kind.FIELD) {
        const first = selection.arguments?.find(({ name }) => name.value === 'first');
        const size: unknown = first && valueFromAST(first.value, GraphQLInt, variableValues);
        if (typeof size === 'number') checkPageSize('first', size);
      }
      visit(selection.selectionSet);
    }
  };
  for (const { selectionSet } of fieldNodes) visit(selectionSet);
}

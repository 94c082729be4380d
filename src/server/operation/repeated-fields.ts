import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';
import { operationLimits } from './operation-limits.ts';

/** Pairs of fields at the same place of an answer. The validator compares each of them: this many take some 50 ms. */
const maxPairs = 105_000;
/** Fields of all operations, where a fragment counts at each spread. */
const maxVisits = 100_000;

interface Repeated {
  count: number;
  readonly inner: SelectionSetNode[];
}

/** Whether validating a document would block the server. The limit of graphql-js allows for several times as much work. */
export function repeatsTooManyFields(
  { definitions }: DocumentNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): boolean {
  const reached = new Set<string>();
  let pairs = 0;
  let visits = 0;
  const isOver = (): boolean => pairs > maxPairs || visits > maxVisits;
  const count = (selectionSets: readonly SelectionSetNode[], depth: number): void => {
    const fields = new Map<string, Repeated>();
    const spread = new Set<string>();
    const collect = ({ selections }: SelectionSetNode): void => {
      for (const selection of selections) {
        if (isOver()) return;
        if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
        else if (selection.kind === Kind.FRAGMENT_SPREAD) {
          const name = selection.name.value;
          reached.add(name);
          const fragment = spread.has(name) ? undefined : fragments.get(name);
          spread.add(name);
          if (fragment) collect(fragment.selectionSet);
        } else {
          const key = (selection.alias ?? selection.name).value;
          const field = fields.get(key) ?? { count: 0, inner: [] };
          fields.set(key, field);
          visits += 1;
          pairs += field.count;
          field.count += 1;
          if (selection.selectionSet) field.inner.push(selection.selectionSet);
        }
      }
    };
    for (const selectionSet of selectionSets) collect(selectionSet);
    // Operations are not nested deeper, but cyclic fragments are.
    if (depth === operationLimits.maxDepth) return;
    for (const { inner } of fields.values()) if (inner.length > 0 && !isOver()) count(inner, depth + 1);
  };
  for (const definition of definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION) count([definition.selectionSet], 1);
  // The validator also compares the fields of fragments that no operation uses.
  for (const [name, { selectionSet }] of fragments) if (!reached.has(name)) count([selectionSet], 1);
  return isOver();
}

import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  separateOperations,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import type { MergedField } from './merged-fields.ts';

interface RootField extends Pick<MergedField, 'selectionSets'> {
  readonly field: FieldNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Definitions of variables that the operation does not have. @default none */
  readonly added?: readonly VariableDefinitionNode[];
}

export interface SingleRoot {
  readonly document: DocumentNode;
  /** The names of the variables that it uses. */
  readonly variables: ReadonlySet<string>;
}

/** An operation with one root field in place of its own, without the fragments and variables that it no longer uses. */
export function withRootField(
  operation: OperationDefinitionNode,
  { field, selectionSets, fragments, added = [] }: RootField,
): SingleRoot {
  const selections = selectionSets.flatMap((set) => set.selections);
  const root: FieldNode =
    selections.length === 0 ? field : { ...field, selectionSet: { kind: Kind.SELECTION_SET, selections } };
  const whole: OperationDefinitionNode = {
    ...operation,
    variableDefinitions: [],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [root] },
  };
  const all: DocumentNode = { kind: Kind.DOCUMENT, definitions: [whole, ...fragments.values()] };
  const [separated = all] = Object.values(separateOperations(all));
  const variables = new Set<string>();
  visit(separated, { Variable: ({ name }) => void variables.add(name.value) });
  const own = operation.variableDefinitions?.filter(({ variable }) => variables.has(variable.name.value));
  const variableDefinitions = [...(own ?? []), ...added];
  const definitions = separated.definitions.map((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? { ...definition, variableDefinitions } : definition,
  );
  return { document: { kind: Kind.DOCUMENT, definitions }, variables };
}

import {
  type DocumentNode,
  type ExecutionResult,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { OperationArgs } from './execution.ts';

/** Results of operations that only describe the schema. They depend on nothing but the document and its variables. */
export interface IntrospectionResults {
  /** The result of an earlier execution, or of `run`. */
  find(args: OperationArgs, run: () => Promise<ExecutionResult>): Promise<ExecutionResult>;
}

type Data = NonNullable<ExecutionResult['data']>;

/** Size of all results, in characters of JSON. */
const maxResultChars = 8_000_000;
/** Longer variables are not worth a cache entry. */
const maxVariablesChars = 1000;

const descriptiveFields: ReadonlySet<string> = new Set(['__schema', '__type', '__typename', '_service']);

export function createIntrospectionResults(): IntrospectionResults {
  const results = new LRUCache<string, { readonly data: Data; readonly chars: number }>({
    maxSize: maxResultChars,
    sizeCalculation: ({ chars }, key) => chars + key.length,
  });
  return {
    async find(args, run) {
      const key = isDescriptive(args) ? keyOf(args) : undefined;
      if (key === undefined) return run();
      const known = results.get(key);
      if (known) return { data: known.data };
      const result = await run();
      if (result.errors || !result.data) return result;
      const text = JSON.stringify(result.data);
      // A parsed copy is written several times faster than the objects of graphql-js.
      results.set(key, { data: JSON.parse(text) as Data, chars: text.length });
      return result;
    },
  };
}

function keyOf({ document, operationName, variableValues }: OperationArgs): string | undefined {
  const source = document.loc?.source.body;
  const variables = JSON.stringify(variableValues ?? {});
  return source === undefined || variables.length > maxVariablesChars
    ? undefined
    : JSON.stringify([operationName ?? '', variables, source]);
}

/** Whether an operation selects only fields that describe the schema. */
function isDescriptive({ document, operationName }: OperationArgs): boolean {
  const operation = getOperationAST(document, operationName);
  const check = ({ selections }: SelectionSetNode): boolean =>
    selections.every((selection) => {
      if (selection.kind === Kind.FIELD) return descriptiveFields.has(selection.name.value);
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : findFragment(document, selection.name.value);
      return fragment !== undefined && check(fragment.selectionSet);
    });
  return operation?.operation === OperationTypeNode.QUERY && check(operation.selectionSet);
}

function findFragment({ definitions }: DocumentNode, name: string): FragmentDefinitionNode | undefined {
  return definitions.find(
    (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
  ) as FragmentDefinitionNode | undefined; // Checked by the condition.
}

import { isList } from '../../lib/json.ts';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
} from 'graphql';

export interface OperationLimits {
  /** Characters of the document. Variables are not counted. @default 1000000 */
  readonly maxChars: number;
  /** Lexical tokens of the document. @default 5000 */
  readonly maxTokens: number;
  /** Nesting depth in fields, fragments included. @default 20 */
  readonly maxDepth: number;
  /** Fields of one operation. A fragment counts at each spread. @default 2000 */
  readonly maxFields: number;
  /** Aliases of one operation. A fragment counts at each spread. @default 250 */
  readonly maxAliases: number;
  /** Records that one operation can return. @default 10000 */
  readonly maxRecords: number;
  /** Values in the variables, inside of lists and objects included. @default 50000 */
  readonly maxVariableValues: number;
}

export const operationLimits: OperationLimits = {
  maxChars: 1_000_000,
  maxTokens: 5000,
  maxDepth: 20,
  maxFields: 2000,
  maxAliases: 250,
  maxRecords: 10_000,
  maxVariableValues: 50_000,
};

interface Size {
  depth: number;
  fields: number;
  aliases: number;
}

/** Runs before validation, because validating a hostile document is expensive. @throws GraphQLError LIMIT_EXCEEDED */
export function assertWithinLimits(document: DocumentNode, limits: OperationLimits): void {
  const fragments = fragmentsOf(document);
  const known = new Map<string, Size>();

  const measureFragment = (name: string): Size => {
    const measured = known.get(name);
    if (measured) return measured;
    // Zero while the fragment is being measured, so that a cycle ends here. Validation reports the cycle.
    known.set(name, { depth: 0, fields: 0, aliases: 0 });
    const fragment = fragments.get(name);
    const size = fragment ? measure(fragment.selectionSet) : { depth: 0, fields: 0, aliases: 0 };
    known.set(name, size);
    return size;
  };
  const measure = (selectionSet: SelectionSetNode): Size => {
    const size: Size = { depth: 0, fields: 0, aliases: 0 };
    for (const selection of selectionSet.selections) {
      const isField = selection.kind === Kind.FIELD;
      const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
      const inner = isSpread
        ? measureFragment(selection.name.value)
        : selection.selectionSet && measure(selection.selectionSet);
      size.depth = Math.max(size.depth, (inner?.depth ?? 0) + Number(isField));
      size.fields += (inner?.fields ?? 0) + Number(isField);
      size.aliases += (inner?.aliases ?? 0) + Number(isField && selection.alias !== undefined);
    }
    return size;
  };
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { depth, fields, aliases } = measure(definition.selectionSet);
    if (depth > limits.maxDepth)
      throw limitError(`The operation is nested deeper than ${limits.maxDepth} fields.`);
    if (fields > limits.maxFields)
      throw limitError(`The operation has more than ${limits.maxFields} fields.`);
    if (aliases > limits.maxAliases)
      throw limitError(`The operation has more than ${limits.maxAliases} aliases.`);
  }
}

/**
 * Whether variables have more values than the limit. graphql-js takes about a microsecond for each and cannot pause, so many
 * small values block the server for longer than the same number of bytes in one text.
 */
export function hasTooManyValues(variables: unknown, limit: number): boolean {
  const waiting: unknown[] = [variables];
  let count = -1;
  while (waiting.length > 0) {
    const value = waiting.pop();
    count += 1;
    if (count + waiting.length > limit) return true;
    if (isList(value)) {
      if (value.length > limit) return true;
      for (const item of value) waiting.push(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value)) waiting.push(member);
    }
  }
  return false;
}

export function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  return new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
}

export function limitError(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'LIMIT_EXCEEDED' } });
}

import { isList } from '../../lib/json.ts';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
} from 'graphql';

export const operationLimits = {
  /** Characters of the document. Variables are not counted. */
  maxChars: 1_000_000,
  /** Lexical tokens of the document. */
  maxTokens: 5000,
  /** Nesting depth in fields, fragments included. */
  maxDepth: 20,
  /** Fields of one operation. A fragment counts at each spread. */
  maxFields: 2000,
  /** Aliases of one operation. A fragment counts at each spread. */
  maxAliases: 250,
  /** Records that one operation can return. */
  maxRecords: 10_000,
  /** Values in the variables, inside of lists and objects included. */
  maxVariableValues: 50_000,
} as const;

interface Size {
  depth: number;
  fields: number;
  aliases: number;
}

/** Runs before validation, because validating a hostile document is expensive. @throws GraphQLError LIMIT_EXCEEDED */
export function assertWithinLimits(document: DocumentNode): void {
  const { maxDepth, maxFields, maxAliases } = operationLimits;
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
    if (depth > maxDepth) throw limitError(`The operation is nested deeper than ${maxDepth} fields.`);
    if (fields > maxFields) throw limitError(`The operation has more than ${maxFields} fields.`);
    if (aliases > maxAliases) throw limitError(`The operation has more than ${maxAliases} aliases.`);
  }
}

/**
 * Whether variables have too many values. graphql-js takes about a microsecond for each and cannot pause, so many
 * small values block the server for longer than the same number of bytes in one text.
 */
export function hasTooManyValues(variables: unknown): boolean {
  const { maxVariableValues: limit } = operationLimits;
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

import { isList, asString } from '../../../lib/json.ts';
import { type FieldNode, Kind, type OperationDefinitionNode, print } from 'graphql';
import { maxIds } from '../../../graphql/node.ts';
import { taskQueryArguments } from '../../../graphql/task-queries.ts';

/** The ids of each root field, or one id. Undefined if only graphql-js can handle the variables. */
export type FindTaskIds = (
  variables: Readonly<Record<string, unknown>>,
) => readonly (string | readonly string[])[] | undefined;

/** Returns undefined if a root field has no ids of tasks, or has them from elsewhere than from a required variable. */
export function compileTaskIds(
  { variableDefinitions = [] }: OperationDefinitionNode,
  rootFields: readonly FieldNode[],
): FindTaskIds | undefined {
  const names = rootFields.map(variableOf);
  const isList = new Map<string, boolean>();
  for (const { variable, type, defaultValue } of variableDefinitions) {
    const typeText = print(type);
    if (defaultValue || (typeText !== 'ID!' && typeText !== '[ID!]!')) return undefined;
    isList.set(variable.name.value, typeText === '[ID!]!');
  }
  const plans: (readonly [name: string, isList: boolean])[] = [];
  for (const name of names) {
    if (name === undefined) return undefined;
    plans.push([name, isList.get(name) ?? false]);
  }
  return (variables) => {
    const found: (string | readonly string[])[] = [];
    for (const [name, isListed] of plans) {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      // Strings are ids as they are.
      const ids = isListed ? asIds(value) : asString(value);
      if (ids === undefined) return undefined;
      found.push(ids);
    }
    return found;
  };
}

/** The variable with the ids. */
function variableOf(node: FieldNode): string | undefined {
  const argumentName = taskQueryArguments.get(node.name.value);
  const [argument] = node.arguments ?? [];
  return argument?.name.value === argumentName && argument?.value.kind === Kind.VARIABLE
    ? argument.value.name.value
    : undefined;
}

function asIds(value: unknown): readonly string[] | undefined {
  const isShort = isList(value) && value.length <= maxIds;
  return isShort && value.every((id) => typeof id === 'string') ? value : undefined;
}

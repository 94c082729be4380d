import { isDeepStrictEqual } from 'node:util';
import { asArray, asRecord } from '../../src/lib/json.ts';
import { toMilliseconds } from '../../src/lib/time.ts';

/** Path from a generation, or from a task, to the objects of a type in the table of replies. */
const places: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Generation: { Generation: [], Task: ['task'], GenerationUsage: ['usage'], Asset: ['assets[]'] },
  Task: { Task: [] },
};

/** The path of a field like `ImageSet.images[].url` from the object that the root field returns. */
export function pathFrom(root: string, field: string): readonly string[] {
  const [type = '', ...steps] = field.split('.');
  if (type === root) return steps;
  const place = places[root]?.[type];
  // Every other type is an output.
  return place ? [...place, ...steps] : ['output', `... on ${type}`, ...steps];
}

interface Selection {
  [step: string]: Selection;
}

/** One selection set for all paths. */
export function selectionOf(paths: readonly (readonly string[])[]): string {
  const tree: Selection = {};
  for (const path of paths) {
    let inner = tree;
    for (const step of path) inner = inner[step.replaceAll('[]', '')] ??= {};
  }
  const print = (selection: Selection): string =>
    Object.entries(selection)
      .map(([step, inner]) => (Object.keys(inner).length === 0 ? step : `${step} { ${print(inner)} }`))
      .join(' ');
  return print(tree);
}

/** All values at a path, without absent ones. Steps that end in `[]` are lists. */
export function valuesAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const [step, ...rest] = path;
  if (step === undefined) return value === undefined || value === null ? [] : [value];
  if (step.startsWith('... on ')) return valuesAt(value, rest);
  const name = step.replace('[]', '');
  const inner = asRecord(value)?.[name];
  return step.endsWith('[]') ? asArray(inner).flatMap((item) => valuesAt(item, rest)) : valuesAt(inner, rest);
}

/** Paths of all members of a reply that are neither objects nor lists, such as `data[].url`. */
export function leavesOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, `${path}[]`));
  const record = asRecord(value);
  if (!record || Object.keys(record).length === 0) return [path];
  return Object.entries(record).flatMap(([name, inner]) =>
    leavesOf(inner, path === '' ? name : `${path}.${name}`),
  );
}

/** Whether a field shows a member: the same value, or its form as a time, an enum value or a wide integer. */
export function shows(field: unknown, member: unknown): boolean {
  if (isDeepStrictEqual(field, member) || String(field) === String(member)) return true;
  if (typeof field !== 'string') return false;
  return field === String(member).toUpperCase() || Date.parse(field) === toMilliseconds(member);
}

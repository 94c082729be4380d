import { type FieldNode, type GraphQLResolveInfo, OperationTypeNode } from 'graphql';
import { selectsField } from './selection.ts';

/** Fields of a task that the id, the record or this process holds. */
const recordedFields: ReadonlySet<string> = new Set([
  '__typename',
  'id',
  'kind',
  'upstreamId',
  'tracking',
  'links',
  'submittedAt',
  'lastReadAt',
  'isFollowed',
]);

/** Finds the gateway reads that the selections of one execution need. */
export interface TaskSelections {
  /** Whether a field that returns tasks selects a value that only a read provides. */
  readsTask(info: GraphQLResolveInfo): boolean;
  /** Whether a field selects such a value of the generation at this path below the field. */
  readsBelow(info: GraphQLResolveInfo, path: Path): boolean;
  /** The types among those that a field returns whose tasks it reads. Undefined if there are none. */
  findReads(info: GraphQLResolveInfo, returned: TypesWithTasks): TypesWithTasks | undefined;
}

/** Fields, each with the type that has it. */
type Path = readonly { readonly typeName: string; readonly field: string }[];

/** A field returns generations, tasks or both. */
export interface TypesWithTasks {
  readonly generations: boolean;
  readonly tasks: boolean;
}

export function createTaskSelections(): TaskSelections {
  // graphql-js passes the same list of nodes for every object in a list.
  const known = new WeakMap<readonly FieldNode[], TypesWithTasks | undefined>();
  const readers = new WeakMap<readonly FieldNode[], boolean>();
  const readsAnyTask = (info: GraphQLResolveInfo): boolean => {
    let reads = readers.get(info.fieldNodes);
    if (reads === undefined) readers.set(info.fieldNodes, (reads = someNode(info, readsTask)));
    return reads;
  };
  return {
    readsTask: readsAnyTask,
    readsBelow: (info, path) => someNode(info, (field) => readsBelow(field, info, path)),
    findReads(info, returned) {
      if (known.has(info.fieldNodes)) return known.get(info.fieldNodes);
      const generations = returned.generations && someNode(info, readsGeneration);
      const tasks = returned.tasks && readsAnyTask(info);
      const reads = generations || tasks ? { generations, tasks } : undefined;
      known.set(info.fieldNodes, reads);
      return reads;
    },
  };
}

function someNode(
  info: GraphQLResolveInfo,
  test: (field: FieldNode, info: GraphQLResolveInfo) => boolean,
): boolean {
  return info.fieldNodes.some((field) => test(field, info)) && !isWithinCreate(info);
}

/** A create answers with what it knows, so its answer never waits for a read. Only creates have an idempotency key. */
function isWithinCreate(info: GraphQLResolveInfo): boolean {
  const { operation, schema } = info;
  if (operation.operation !== OperationTypeNode.MUTATION) return false;
  let root = info.path;
  while (root.prev) root = root.prev;
  const fields = schema.getMutationType()?.getFields();
  return selectsField(
    operation.selectionSet,
    { typeName: root.typename ?? '', info },
    ({ alias, name }) =>
      (alias ?? name).value === root.key &&
      (fields?.[name.value]?.args.some((argument) => argument.name === 'idempotencyKey') ?? false),
  );
}

function readsBelow(field: FieldNode, info: GraphQLResolveInfo, [next, ...path]: Path): boolean {
  if (!next) return readsGeneration(field, info);
  return selectsField(
    field.selectionSet,
    { typeName: next.typeName, info },
    (selected) => selected.name.value === next.field && readsBelow(selected, info, path),
  );
}

function readsTask(field: FieldNode, info: GraphQLResolveInfo): boolean {
  return selectsField(field.selectionSet, { typeName: 'Task', info }, (selected) =>
    selected.name.value === 'generation'
      ? readsGeneration(selected, info)
      : !recordedFields.has(selected.name.value),
  );
}

function readsGeneration(field: FieldNode, info: GraphQLResolveInfo): boolean {
  return selectsField(
    field.selectionSet,
    { typeName: 'Generation', info },
    (selected) => selected.name.value === 'task' && readsTask(selected, info),
  );
}

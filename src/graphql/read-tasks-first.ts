import { isList } from '../lib/json.ts';
import {
  defaultFieldResolver,
  getNamedType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isAbstractType,
  isIntrospectionType,
  isObjectType,
} from 'graphql';
import { isTerminal, type LazyGeneration, type Task } from '../store/records.ts';
import { toGenerationPatch } from '../tasks/apply-reading.ts';
import type { Connection } from './connection.ts';
import type { Context } from './context.ts';
import type { Resolve } from './limit-answers.ts';
import type { Loaders } from './loaders.ts';
import type { NodeTypes } from './node-types.ts';
import type { TypesWithTasks } from './task-selections.ts';

/**
 * Wraps every field that can return a generation or a task, so that one answer never shows two states of them. If the
 * operation reads a task in any of its fields, the read comes first, and its generation has the state of that read. A
 * field that neither reads a task nor shares its operation with such a field resolves as without the wrapper.
 */
export function readTasksFirst(schema: GraphQLSchema, nodes: NodeTypes): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const names = typeNamesOf(schema, field.type);
      const returned = { generations: names.includes('Generation'), tasks: names.includes('Task') };
      if (returned.generations || returned.tasks)
        field.resolve = wrap(field.resolve ?? defaultFieldResolver, returned, nodes);
    }
  }
  return schema;
}

/** The object types that a field can return. */
function typeNamesOf(schema: GraphQLSchema, output: GraphQLOutputType): readonly string[] {
  const type = getNamedType(output);
  return isAbstractType(type) ? schema.getPossibleTypes(type).map(({ name }) => name) : [type.name];
}

function wrap(resolve: Resolve, returned: TypesWithTasks, nodes: NodeTypes): Resolve {
  /** Decides when the value has arrived: a sibling field may have started a read in the meantime. */
  const show = (found: unknown, loaders: Loaders): unknown => {
    if (found instanceof Promise) return found.then((value) => show(value, loaders));
    if (isList(found)) return found.map((item) => show(item, loaders));
    return loaders.usesTasks && isGeneration(found, nodes) ? showGeneration(found, loaders) : found;
  };
  const readAndShow = async (found: unknown, loaders: Loaders, reads: TypesWithTasks): Promise<unknown> => {
    const read = (value: unknown): unknown =>
      reads.generations && isGeneration(value, nodes) ? readTask(value, loaders).then(() => value) : value;
    // Tracked work must not wait for `settled`, which waits for tracked work.
    const value = await loaders.task.track(forEach(found, read));
    const isPending = loaders.task.isPending();
    const showRead = (item: unknown): unknown => {
      if (isGeneration(item, nodes))
        return showGeneration(item, loaders, { readsTask: reads.generations, isPending });
      return reads.tasks && isTask(item, nodes) ? showTask(item, loaders) : item;
    };
    if (isPending) await loaders.task.settled();
    return value instanceof Items ? value.settled.map((item) => forItem(item, showRead)) : showRead(value);
  };
  return (source, args, context, info) => {
    // Before the resolver: a context or info that throws must not leave its promise without a handler.
    const { loaders } = context;
    const reads = loaders.taskSelections.findReads(info, returned);
    const found: unknown = resolve(source, args, context, info);
    return reads ? readAndShow(found, loaders, reads) : show(found, loaders);
  };
}

/** Reads the selected tasks of a page together, before any field of the operation shows one of its generations. */
export function readListedTasks<List extends Connection<LazyGeneration>>(
  list: Promise<List>,
  { loaders }: Context,
  info: GraphQLResolveInfo,
): Promise<List> {
  if (!loaders.taskSelections.readsBelow(info, nodesOfList)) return list;
  const read = async (): Promise<List> => {
    const connection = await list;
    await Promise.all(connection.edges.map(({ node }) => readTask(node, loaders)));
    return connection;
  };
  return loaders.task.track(read());
}

const nodesOfList = [
  { typeName: 'GenerationConnection', field: 'edges' },
  { typeName: 'GenerationEdge', field: 'node' },
] as const;

/** The items of a list after a step. They fail independently. */
class Items {
  readonly settled: readonly PromiseSettledResult<unknown>[];

  constructor(settled: readonly PromiseSettledResult<unknown>[]) {
    this.settled = settled;
  }
}

/** Runs a step for a value, or for each item of a list. */
async function forEach(found: unknown, step: (value: unknown) => unknown): Promise<unknown> {
  const value = await found;
  if (!isList(value)) return step(value);
  const items = value.map((item) => (item instanceof Promise ? item.then(step) : step(item)));
  return new Items(await Promise.allSettled(items));
}

function forItem(item: PromiseSettledResult<unknown>, step: (value: unknown) => unknown): unknown {
  return item.status === 'fulfilled' ? step(item.value) : Promise.reject(item.reason);
}

function isGeneration(value: unknown, nodes: NodeTypes): value is LazyGeneration {
  // Ids have the prefix of their type.
  return typeof value === 'object' && value !== null && nodes.typeNameOf(value) === 'Generation';
}

function isTask(value: unknown, nodes: NodeTypes): value is Task {
  return typeof value === 'object' && value !== null && nodes.typeNameOf(value) === 'Task';
}

async function readTask({ taskId }: LazyGeneration, { task }: Loaders): Promise<void> {
  // The field `task` reports the error.
  if (taskId !== undefined) await task.load(taskId).catch(() => undefined);
}

/** The generation with the state of its task that this execution has read. `isPending`: whether a read was pending. */
export async function showGeneration(
  generation: LazyGeneration,
  loaders: Loaders,
  { readsTask = false, isPending = loaders.task.isPending() } = {},
): Promise<LazyGeneration> {
  await loaders.task.settled();
  // Another field may have followed the task meanwhile. Then it is read again.
  if (readsTask) await readTask(generation, loaders);
  const task = generation.taskId === undefined ? undefined : loaders.task.shown(generation.taskId);
  if (task && !isTerminal(task.status))
    return { ...generation, ...toGenerationPatch(task, 0), finishedAt: undefined };
  const isStale = isPending || (task !== undefined && generation.finishedAt === undefined);
  return isStale ? ((await loaders.generation.load(generation.id)) ?? generation) : generation;
}

function showTask(task: Task, loaders: Loaders): Task | Promise<Task> {
  return loaders.task.shown(task.id) ?? loaders.task.load(task.id).then((read) => read ?? task);
}

import type { GraphQLResolveInfo } from 'graphql';
import { RequestError } from '../errors.ts';
import { hasPermission, requirePermission } from '../gateway/caller.ts';
import type { Task } from '../store/records.ts';
import { isUpstreamId, taskIdOf } from '../tasks/task-kinds.ts';
import type { KindDefinition } from './capability.ts';
import type { Graph } from './graph.ts';
import { type Context, requireCaller, toOperation } from './context.ts';
import { findTask } from './find-task.ts';
import { generationKindEnum } from './generation.ts';
import { assertIdCount, maxIds } from './node.ts';
import { taskRef } from './refs.ts';
import { watchTasks } from '../tasks/watch-tasks.ts';

/** What a gateway id alone can read, by kind. */
function describeKinds(kinds: Graph['kinds']): string {
  const namesOf = (isOne: (kind: KindDefinition) => boolean): string =>
    [...kinds].flatMap(([name, kind]) => (isOne(kind) ? [name] : [])).join(', ');
  const isRead = ({ task }: KindDefinition): boolean => Boolean(task?.readMany ?? task?.readOne);
  return [
    `Readable by gateway id: ${namesOf((kind) => isRead(kind) && !kind.task?.isReadable)}.`,
    `Without tasks (null): ${namesOf(({ task }) => !task)}.`,
    `NOT_TRACKABLE if created elsewhere: ${namesOf((kind) => isRead(kind) && kind.task?.isReadable !== undefined)}.`,
    'NOT_TRACKABLE by default: all others.',
  ].join(' ');
}

function taskHandleInput({ builder, kinds, use }: Graph) {
  const kindsWithModel = [...kinds].flatMap(([name, { task }]) => (task?.takesModel ? [name] : []));
  return builder.inputType('TaskHandleInput', {
    description: 'Identifies a task by its gateway id.',
    fields: (t) => ({
      kind: t.field({
        type: use(generationKindEnum),
        required: true,
        description: describeKinds(kinds),
      }),
      upstreamId: t.string({
        required: true,
        description:
          "The gateway's task id or request id: 1 to 500 visible ASCII characters without slashes.",
      }),
      model: t.string({
        description: `Only for ${kindsWithModel.join(' and ') || 'no kind'}, limited as \`upstreamId\`. Default: the gateway finds it.`,
      }),
    }),
  });
}

/** The argument with the ids of each root field that only finds tasks by their ids. */
export const taskQueryArguments: ReadonlyMap<string, string> = new Map([
  ['task', 'id'],
  ['tasks', 'ids'],
]);

export function addTaskQueries({ builder, use }: Graph): void {
  builder.queryFields((t) => ({
    task: t.field({
      type: use(taskRef),
      nullable: true,
      description: 'The current state of a task. Null if unknown.',
      args: { id: t.arg.id({ required: true, description: 'Task id.' }) },
      resolve: (_root, { id }, context, info) => findTask(id, context, info),
    }),
    tasks: t.field({
      type: [use(taskRef)],
      nullable: { list: true, items: true },
      description: 'States in the order of the ids. Null for unknown tasks.',
      args: {
        ids: t.arg.idList({ required: true, description: `Task ids, at most ${maxIds}.` }),
      },
      resolve: (_root, { ids }, context, info) => {
        requireCaller(context);
        assertIdCount(ids);
        return ids.map((id) => findTask(id, context, info));
      },
    }),
    taskByHandle: t.field({
      type: use(taskRef),
      nullable: true,
      description:
        'A task that was created elsewhere, by gateway id. Null if the gateway does not know it. A NOT_TRACKABLE task is UNKNOWN and may not exist.',
      args: {
        handle: t.arg({ type: use(taskHandleInput), required: true }),
      },
      resolve: (_root, { handle }, context, info) => {
        const { kind, upstreamId, model } = handle;
        if (!isUpstreamId(upstreamId) || (typeof model === 'string' && !isUpstreamId(model))) {
          throw new RequestError(
            'BAD_REQUEST',
            'handle: upstreamId and model must be 1 to 500 visible ASCII characters without slashes, and not "." or "..".',
          );
        }
        return findByHandle(taskIdOf({ kind, upstreamId, model: model ?? undefined }), context, info);
      },
    }),
  }));

  builder.subscriptionFields((t) => ({
    taskProgress: t.field({
      type: use(taskRef),
      description:
        'The current state of a task, then every change, until it is terminal. One event if NOT_TRACKABLE.',
      args: { id: t.arg.id({ required: true, description: 'Task id.' }) },
      subscribe: (_root, { id }, context) => watchTasks([id], toOperation(context)),
      resolve: showTask,
    }),
    tasksProgress: t.field({
      type: use(taskRef),
      description: 'As `taskProgress` of each task, until all are terminal or NOT_TRACKABLE.',
      args: {
        ids: t.arg.idList({
          required: true,
          description: `At most ${maxIds} ids. Unknown ids are skipped; NOT_FOUND if all are unknown.`,
        }),
      },
      subscribe: (_root, { ids }, context) => {
        assertIdCount(ids);
        return watchTasks(ids, toOperation(context));
      },
      resolve: showTask,
    }),
  }));
}

/** @throws RequestError FORBIDDEN if the caller has no such task and may not adopt one */
async function findByHandle(
  id: string,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Task | undefined> {
  const caller = requireCaller(context);
  const mayAdopt = hasPermission(caller, 'adoptTask');
  if (!mayAdopt && !(await context.loaders.taskRecord.load(id)))
    requirePermission(caller, 'adoptTask', 'A task that was created elsewhere');
  return findTask(id, context, info);
}

/** The state in an event is also the one that its generation shows. */
function showTask(task: Task, _args: object, { loaders }: Context): Task {
  loaders.task.prime(task);
  return task;
}

import type { GraphQLResolveInfo } from 'graphql';
import type { Task } from '../store/records.ts';
import { taskIdOf } from '../tasks/task-kinds.ts';
import type { Context } from './context.ts';
import { requireCaller } from './context.ts';

/**
 * The current state of a task. Reads from the gateway only if the selection needs it. Undefined if the task is unknown.
 * @throws RequestError UNAUTHENTICATED
 */
export function findTask(id: string, context: Context, info: GraphQLResolveInfo): Promise<Task | undefined> {
  const { owner } = requireCaller(context);
  const { loaders } = context;
  return loaders.taskSelections.readsTask(info) ? loaders.task.load(id) : findRecord(id, owner, context);
}

async function findRecord(
  id: string,
  owner: string,
  { engine, loaders }: Context,
): Promise<Task | undefined> {
  const record = await loaders.taskRecord.load(id);
  if (record) return record;
  const handle = engine.taskKinds.handleOf(id);
  return handle && { ...handle, id: taskIdOf(handle), owner, status: 'UNKNOWN' };
}

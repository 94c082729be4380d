import type { GraphQLResolveInfo } from 'graphql';
import { type Caller, hasPermission } from '../gateway/caller.ts';
import type { Task } from '../store/records.ts';
import { taskIdOf } from '../tasks/task-kinds.ts';
import { type Context, requireCaller } from './context.ts';

/**
 * The current state of a task. Reads from the gateway only if the selection needs it. Undefined if the task is unknown.
 * @throws RequestError UNAUTHENTICATED
 */
export function findTask(id: string, context: Context, info: GraphQLResolveInfo): Promise<Task | undefined> {
  const caller = requireCaller(context);
  const { loaders } = context;
  return loaders.taskSelections.readsTask(info) ? loaders.task.load(id) : findRecord(id, caller, context);
}

async function findRecord(
  id: string,
  caller: Caller,
  { engine, loaders }: Context,
): Promise<Task | undefined> {
  const record = await loaders.taskRecord.load(id);
  if (record || !hasPermission(caller, 'adoptTask')) return record;
  const handle = engine.taskKinds.handleOf(id);
  return handle && { ...handle, id: taskIdOf(handle), owner: caller.owner, status: 'UNKNOWN' };
}

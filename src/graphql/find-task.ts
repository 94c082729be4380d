import type { GraphQLResolveInfo } from 'graphql';
import type { Task } from '../store/records.ts';
import { taskIdOf } from '../tasks/task-kinds.ts';
import type { Context } from './context.ts';
import { requireCaller } from './context.ts';

/** The current state of a task. Reads from the gateway only if the selection needs it. Null if the task is unknown. */
export async function findTask(id: string, context: Context, info: GraphQLResolveInfo): Promise<Task | null> {
  const { owner } = requireCaller(context);
  const { loaders } = context;
  if (loaders.taskSelections.readsTask(info)) return (await loaders.task.load(id)) ?? null;
  const record = await loaders.taskRecord.load(id);
  if (record) return record;
  const handle = context.engine.taskKinds.handleOf(id);
  return handle ? { ...handle, id: taskIdOf(handle), owner, status: 'UNKNOWN' } : null;
}

import type { GraphQLResolveInfo } from 'graphql';
import type { Task } from '../store/records.ts';
import { taskIdOf } from '../tasks/task-kinds.ts';
import type { Context } from './context.ts';
import { requireCaller } from './context.ts';
import { selectsOnly } from './selection.ts';

/** What an id alone, or our record, can tell. */
const freeFields = new Set([
  '__typename',
  'id',
  'kind',
  'upstreamId',
  'tracking',
  'generation',
  'links',
  'createdAt',
]);

/** A task as it is now; null when neither we nor the gateway know it. Asks the gateway only when the selection needs it. */
export async function findTask(id: string, context: Context, info: GraphQLResolveInfo): Promise<Task | null> {
  const { owner } = requireCaller(context);
  if (selectsOnly(info, freeFields)) {
    const [known] = await context.kernel.tasks.find(owner, [id]);
    if (!known) return null;
    return 'status' in known ? known : { ...known, id: taskIdOf(known), owner, status: 'UNKNOWN' };
  }
  return (await context.loaders.task.load(id)) ?? null;
}

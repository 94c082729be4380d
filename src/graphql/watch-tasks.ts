import { NotFoundError } from '../errors.ts';
import type { Task } from '../store/records.ts';
import { type Context, requireCaller } from './context.ts';

/** Watches tasks; what nobody watches yet is read first, so that the first event is true. @throws NotFoundError when nobody knows any */
export async function watchTasks(
  ids: readonly string[],
  context: Context,
): Promise<AsyncIterableIterator<Task, undefined>> {
  const caller = requireCaller(context);
  const known = (await Promise.all([...new Set(ids)].map((id) => currentTask(id, context)))).filter(
    (task) => task !== undefined,
  );
  if (known.length === 0 && ids.length > 0)
    throw new NotFoundError(ids.length === 1 ? 'There is no such task.' : 'There are no such tasks.');
  return context.engine.poller.watch(caller, known);
}

async function currentTask(id: string, context: Context): Promise<Task | undefined> {
  const caller = requireCaller(context);
  const { poller, tasks } = context.engine;
  const watched = poller.current(caller.owner, id);
  if (watched) return watched;
  const [outcome] = await tasks.read(caller, [id]);
  if (!(outcome instanceof Error)) return outcome;
  // Of a recorded task a failed read is an episode; of any other nothing is known but that failure.
  const [record] = await tasks.find(caller.owner, [id]);
  if (record && 'status' in record) return record;
  throw outcome;
}

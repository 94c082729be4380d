import { NotFoundError } from '../errors.ts';
import type { Task } from '../store/records.ts';
import { type Context, requireCaller } from './context.ts';

/** Reads tasks once, so that the first event is true, then watches them. @throws NotFoundError when nobody knows any */
export async function watchTasks(
  ids: readonly string[],
  context: Context,
): Promise<AsyncIterableIterator<Task, undefined>> {
  const caller = requireCaller(context);
  const { poller, tasks } = context.kernel;
  const unique = [...new Set(ids)];
  const [records, outcomes] = await Promise.all([
    tasks.find(caller.owner, unique),
    tasks.read(caller, unique),
  ]);
  const known = outcomes.flatMap((outcome, index) => {
    if (!(outcome instanceof Error)) return outcome ? [outcome] : [];
    const record = records[index];
    // Of a recorded task a failed read is an episode; of any other nothing is known but that failure.
    if (record && 'status' in record) return [record];
    throw outcome;
  });
  if (known.length === 0 && ids.length > 0)
    throw new NotFoundError(ids.length === 1 ? 'There is no such task.' : 'There are no such tasks.');
  return poller.watch(caller, known);
}

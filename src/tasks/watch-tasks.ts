import { NotFoundError } from '../errors.ts';
import type { Task } from '../store/records.ts';
import type { Engine, Operation } from '../generations/engine.ts';
import { isLasting } from './settle-poll.ts';

type WatchOperation = Operation<Pick<Engine, 'poller' | 'tasks'>>;

/**
 * Watches tasks. First reads those that are not polled yet, so that the first event is current.
 * @throws NotFoundError when none of them is known
 */
export async function watchTasks(
  ids: readonly string[],
  operation: WatchOperation,
): Promise<AsyncIterableIterator<Task, undefined>> {
  const known = (await Promise.all([...new Set(ids)].map((id) => currentTask(id, operation)))).filter(
    (task) => task !== undefined,
  );
  if (known.length === 0 && ids.length > 0)
    throw new NotFoundError(
      (ids.length === 1 ? 'No task with this id was found.' : 'No task with any of these ids was found.') +
        adviceOn(ids),
    );
  return operation.engine.poller.watch(operation.caller, known);
}

/** Names an id of another type, usually that of the task's generation. */
function adviceOn(ids: readonly string[]): string {
  const other = ids.find((id) => !id.startsWith('task_'));
  const prefix = other === undefined ? undefined : /^[a-z]{1,20}_/.exec(other)?.[0];
  if (prefix === undefined) return '';
  const advice = prefix === 'generation_' ? ' Select `task { id }` of the generation.' : '';
  return ` An id that begins with "${prefix}" is not a task id.${advice}`;
}

async function currentTask(id: string, { engine, caller }: WatchOperation): Promise<Task | undefined> {
  const { poller, tasks } = engine;
  const watched = poller.current(caller.owner, id);
  if (watched) return watched;
  const [outcome] = await tasks.read(caller, [id]);
  if (outcome instanceof Error) throw outcome;
  if (!outcome?.readFailure || isLasting(outcome.readFailure) || outcome.readFailure.code === 'NOT_FOUND')
    return outcome;
  // The poller reports a failure that may pass only after its grace time.
  return { ...outcome, readFailure: undefined };
}

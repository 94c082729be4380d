import { ExpectedError, NotFoundError } from '../errors.ts';
import { toFailure } from '../generations/failure.ts';
import type { Task } from '../store/records.ts';
import type { Engine, Operation } from '../generations/engine.ts';
import { isLasting } from './settle-poll.ts';
import type { TaskOutcome } from './task-outcome.ts';

type WatchOperation = Operation<Pick<Engine, 'poller' | 'tasks' | 'taskKinds'>>;

/**
 * Watches tasks. First reads those that are not polled yet, so that the first event is current. If the read of a task without
 * a record fails for a reason that may pass, the others are watched nevertheless, and the task begins as UNKNOWN.
 * @throws NotFoundError when none of them is known, or the failure of a read
 */
export async function watchTasks(
  ids: readonly string[],
  operation: WatchOperation,
): Promise<AsyncIterableIterator<Task, undefined>> {
  const distinct = [...new Set(ids)];
  const current = await Promise.all(distinct.map((id) => currentTask(id, operation)));
  const hasTask = current.some((found) => found !== undefined && !(found instanceof Error));
  const known = current.flatMap((found, index): Task | readonly [] => {
    if (!(found instanceof Error)) return found ?? [];
    const task = hasTask ? findUnread(distinct[index] ?? '', found, operation) : undefined;
    if (!task) throw found;
    return task;
  });
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

/** A task without a record whose first read failed. Undefined if the same read fails again. */
function findUnread(id: string, error: Error, { engine, caller }: WatchOperation): Task | undefined {
  const mayPass = error instanceof ExpectedError && (error.retry === 'SAFE' || error.retry === 'LATER');
  const handle = mayPass ? engine.taskKinds.handleOf(id) : undefined;
  return handle && { ...handle, id, owner: caller.owner, status: 'UNKNOWN', readFailure: toFailure(error) };
}

async function currentTask(id: string, { engine, caller }: WatchOperation): Promise<TaskOutcome> {
  const { poller, tasks } = engine;
  const watched = poller.current(caller.owner, id);
  if (watched) return watched;
  const [outcome] = await tasks.read(caller, [id]);
  if (outcome instanceof Error) return outcome;
  if (!outcome?.readFailure || isLasting(outcome.readFailure) || outcome.readFailure.code === 'NOT_FOUND')
    return outcome;
  // The poller reports a failure that may pass only after its grace time.
  return { ...outcome, readFailure: undefined };
}

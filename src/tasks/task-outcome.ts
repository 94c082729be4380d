import type { Caller } from '../gateway/caller.ts';
import type { Task } from '../store/records.ts';

/**
 * The outcome of one read: the task, undefined when it does not exist, or the error. When the read of a recorded task
 * fails, the outcome is the record with `readFailure`.
 */
export type TaskOutcome = Task | undefined | Error;

export interface TaskReaders {
  /**
   * Reads tasks with as few requests as the gateway allows. A failed read affects only its own tasks. Terminal and
   * untrackable tasks come from the record, and so do tasks that another instance has just read. Concurrent reads of one task share a request.
   */
  read(caller: Caller, ids: readonly string[]): Promise<readonly TaskOutcome[]>;
  /** Like `read`, for tasks that were read before. If a task's record was deleted, the task is read but not recorded. */
  readAgain(caller: Caller, tasks: readonly Task[]): Promise<readonly TaskOutcome[]>;
  /** Like `read`, for one task with a new request, because a read in flight may return an older state. */
  readFresh(caller: Caller, id: string): Promise<TaskOutcome>;
}

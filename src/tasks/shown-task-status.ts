import { isTerminal, type ShownStatus, type Task } from '../store/records.ts';
import type { Tasks } from './tasks.ts';

type Reads = Pick<Tasks, 'isTrackable'>;

/** The status of a task as clients see it. */
export function shownTaskStatus(task: Task, tasks: Reads): ShownStatus {
  if (isTerminal(task.status) || tasks.isTrackable(task)) return task.status;
  // A task that was neither created nor ever read here may not exist.
  const isAccepted = task.generationId !== undefined || task.lastReadAt !== undefined;
  return isAccepted ? 'SUBMITTED' : task.status;
}

/** Whether nothing more will be learned about a task: it has ended, or it cannot be read. */
export function isTaskTerminal(task: Task, tasks: Reads): boolean {
  return isTerminal(task.status) || !tasks.isTrackable(task);
}

import { LRUCache } from 'lru-cache';
import type { Token } from '../access/tokens.ts';
import type { Services } from '../http/routes.ts';
import type { Faults, ReadableTask } from './faults.ts';
import { isTerminal, readTimeline, type Progress } from './timeline.ts';

/** Work that ends later, and whose it is. */
export interface Task<Work> extends ReadableTask {
  readonly id: string;
  readonly ownerKey: string;
  readonly createdAtMs: number;
  readonly faults: Faults;
  readonly work: Work;
  readonly durationMs: number;
  /** Whether the work goes wrong though no fault was asked for. */
  readonly isDoomed: boolean;
  canceledAtMs: number | undefined;
}

export interface NewTask<Work> {
  readonly id: string;
  readonly token: Token;
  readonly faults: Faults;
  readonly work: Work;
  /** About how much memory the work holds. */
  readonly sizeBytes: number;
  /** @default the time that tasks of this sandbox take */
  readonly durationMs?: number;
  /** @default false */
  readonly isDoomed?: boolean;
}

/** The tasks of one family. The least recently read are forgotten where there are too many. */
export interface TaskList<Work> {
  add(task: NewTask<Work>): Task<Work>;
  /** To another token than its own a task does not exist. */
  find(token: Token, id: string): Task<Work> | undefined;
  /** For addresses that carry no credential. */
  findById(id: string): Task<Work> | undefined;
  progressOf(task: Task<Work>): Progress;
  /** Whether the task ended by this. */
  cancel(task: Task<Work>): boolean;
}

const maxTasks = 20_000;
const maxSizeBytes = 256 * 1024 * 1024;

export function createTaskList<Work>({ clock, taskSeconds }: Services): TaskList<Work> {
  const tasks = new LRUCache<string, Task<Work> & { readonly sizeBytes: number }>({
    max: maxTasks,
    maxSize: maxSizeBytes,
    sizeCalculation: ({ sizeBytes }) => Math.max(1, sizeBytes),
  });
  const progressOf = (task: Task<Work>): Progress => {
    const { createdAtMs, canceledAtMs, durationMs, faults, isDoomed } = task;
    const isFailing = isDoomed || faults.has('failed');
    const ending = faults.has('stuck') ? 'never' : isFailing ? 'failure' : 'success';
    return readTimeline({ createdAtMs, canceledAtMs, durationMs, ending }, clock());
  };
  return {
    add({ id, token, faults, work, sizeBytes, durationMs = taskSeconds * 1000, isDoomed = false }) {
      const task = {
        id,
        ownerKey: token.key,
        createdAtMs: clock(),
        faults,
        work,
        durationMs,
        isDoomed,
        canceledAtMs: undefined,
        reads: 0,
        sizeBytes,
      };
      tasks.set(id, task);
      return task;
    },
    find(token, id) {
      const task = tasks.get(id);
      return task?.ownerKey === token.key ? task : undefined;
    },
    findById: (id) => tasks.get(id),
    progressOf,
    cancel(task) {
      if (isTerminal(progressOf(task).phase)) return false;
      task.canceledAtMs = clock();
      return true;
    },
  };
}

import { LRUCache } from 'lru-cache';
import { limitEntries } from '../../lib/cache-limits.ts';
import type { Token } from '../access/tokens.ts';
import type { Services } from '../http/routes.ts';
import type { Faults, ReadableTask } from './faults.ts';
import { isTerminal, readTimeline, type Progress } from './timeline.ts';

/** A task and its work, which takes `durationMs`. */
export interface Task<Work> extends ReadableTask {
  readonly id: string;
  readonly ownerKey: string;
  readonly createdAtMs: number;
  readonly faults: Faults;
  readonly work: Work;
  readonly durationMs: number;
  /** Whether the task fails even without `fault:failed`. */
  readonly willFail: boolean;
  canceledAtMs: number | undefined;
}

export interface NewTask<Work> {
  readonly id: string;
  readonly token: Token;
  readonly faults: Faults;
  readonly work: Work;
  /** Approximate memory that the work holds. */
  readonly sizeBytes: number;
  /** @default the sandbox's `taskSeconds` */
  readonly durationMs?: number;
  /** @default false */
  readonly willFail?: boolean;
}

/** The tasks of one family. Beyond a limit the least recently read ones are evicted. */
export interface TaskList<Work> {
  add(task: NewTask<Work>): Task<Work>;
  /** Other tokens cannot see the task. */
  find(token: Token, id: string): Task<Work> | undefined;
  /** For addresses that carry no credential. */
  findById(id: string): Task<Work> | undefined;
  progressOf(task: Task<Work>): Progress;
  /** Returns whether this ended the task. */
  cancel(task: Task<Work>): boolean;
}

const maxTasks = 20_000;
const maxSizeBytes = 256 * 1024 * 1024;

export function createTaskList<Work>({ clock, taskSeconds }: Services): TaskList<Work> {
  const tasks = new LRUCache<string, Task<Work> & { readonly sizeBytes: number }>(
    limitEntries(maxTasks, maxSizeBytes, ({ sizeBytes }) => sizeBytes),
  );
  const progressOf = (task: Task<Work>): Progress => {
    const { createdAtMs, canceledAtMs, durationMs, faults, willFail } = task;
    const isFailing = willFail || faults.has('failed');
    const ending = faults.has('stuck') ? 'never' : isFailing ? 'failure' : 'success';
    return readTimeline({ createdAtMs, canceledAtMs, durationMs, ending }, clock());
  };
  return {
    add({ token, durationMs = taskSeconds * 1000, willFail = false, ...task }) {
      const state = { ownerKey: token.key, createdAtMs: clock(), canceledAtMs: undefined, reads: 0 };
      const added = { ...task, ...state, durationMs, willFail };
      tasks.set(task.id, added);
      return added;
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

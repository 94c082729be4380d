import DataLoader from 'dataloader';
import { RequestError } from '../errors.ts';
import { createInFlight } from '../lib/in-flight.ts';
import type { Task } from '../store/records.ts';

/** The task reads of one execution. All its fields share them, so that one answer shows one state of a task. */
export interface TaskLoader {
  /** Reads from the gateway unless the record is terminal. Reads each task once. */
  load(id: string): Promise<Task | undefined>;
  /** The state that this execution has read. */
  shown(id: string): Task | undefined;
  /** The state that `load` returns without a read. */
  loaded(id: string): Task | undefined;
  /** Shows a state that was read before, such as the state in an event. */
  prime(task: Task): void;
  /** The task may have changed: the next `load` reads it again. */
  clear(id: string): void;
  /** Makes `settled` wait for work that reads tasks. Reads of `load` are tracked anyway. */
  track<Result>(work: Promise<Result>): Promise<Result>;
  /** Whether a read or tracked work is pending. */
  isPending(): boolean;
  /** Resolves when no read and no tracked work is pending. */
  settled(): Promise<void>;
}

/** Limit of one operation, across all its fields and aliases. */
const maxTasksRead = 1000;

export type ReadTasks = (ids: readonly string[]) => Promise<readonly (Task | Error | undefined)[]>;

/** @param onRead called with each task that was read, before any field receives it */
export function createTaskLoader(read: ReadTasks, onRead: (task: Task) => void): TaskLoader {
  const shown = new Map<string, Task>();
  const cache = new Map<string, Promise<Task | undefined>>();
  const pending = createInFlight();
  const readBounded = boundedReads(read);
  const readAll = async (ids: readonly string[]): Promise<readonly (Task | Error | undefined)[]> => {
    try {
      const outcomes = await readBounded(ids);
      for (const [index, id] of ids.entries()) {
        const outcome = outcomes[index];
        if (!outcome || outcome instanceof Error) continue;
        shown.set(id, outcome);
        onRead(outcome);
      }
      return outcomes;
    } finally {
      for (const _id of ids) pending.add(-1);
    }
  };
  const loader = new DataLoader<string, Task | undefined>(readAll, { cacheMap: cache });
  let settling: Promise<void> | undefined;
  const settle = async (): Promise<void> => {
    while (pending.count > 0) await pending.waitUntilIdle();
    settling = undefined;
  };
  return {
    track: (work) => pending.run(() => work),
    load(id) {
      // Every id that is not cached becomes part of one batch.
      if (!cache.has(id)) pending.add(1);
      return loader.load(id);
    },
    shown: (id) => shown.get(id),
    loaded: (id) => (cache.has(id) ? shown.get(id) : undefined),
    prime(task) {
      loader.prime(task.id, task);
      shown.set(task.id, task);
    },
    clear(id) {
      loader.clear(id);
      shown.delete(id);
    },
    isPending: () => pending.count > 0,
    settled: () => (pending.count === 0 ? Promise.resolve() : (settling ??= settle())),
  };
}

/** Limits the reads of one operation. `ids` never repeats an id, because the loader caches. */
function boundedReads(read: ReadTasks): ReadTasks {
  let remaining = maxTasksRead;
  return async (ids) => {
    const admitted = ids.slice(0, remaining);
    remaining -= admitted.length;
    const outcomes = await read(admitted);
    if (admitted.length === ids.length) return outcomes;
    const refusal = new RequestError(
      'LIMIT_EXCEEDED',
      `One operation reads at most ${maxTasksRead} tasks from the gateway. Split it.`,
    );
    return ids.map((_id, index) => (index < admitted.length ? outcomes[index] : refusal));
  };
}

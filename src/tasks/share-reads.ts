import type { Caller } from '../gateway/caller.ts';
import type { Task } from '../store/records.ts';
import type { TaskOutcome, Tasks } from './tasks.ts';

/** Reads tasks by id. The map's value is the task as last seen by a watch, if any. */
export type ReadAll = (
  caller: Caller,
  requested: ReadonlyMap<string, Task | undefined>,
) => Promise<ReadonlyMap<string, TaskOutcome>>;

interface PendingRead extends PromiseWithResolvers<TaskOutcome> {
  readonly watched: Task | undefined;
}

/**
 * Coalesces all reads of one owner in one turn of the event loop. A read of a task that is already being read joins the
 * read in flight.
 */
export function shareReads(readAll: ReadAll): Pick<Tasks, 'read' | 'readAgain' | 'readFresh'> {
  const batches = new Map<string, Map<string, PendingRead>>();
  const inFlight = new Map<string, Promise<TaskOutcome>>();

  const send = async (caller: Caller, batch: ReadonlyMap<string, PendingRead>): Promise<void> => {
    try {
      const outcomes = await readAll(caller, new Map([...batch].map(([id, { watched }]) => [id, watched])));
      for (const [id, { resolve }] of batch) resolve(outcomes.get(id));
    } catch (error) {
      for (const { resolve } of batch.values())
        resolve(error instanceof Error ? error : new Error(String(error)));
    } finally {
      for (const id of batch.keys()) inFlight.delete(keyOf(caller.owner, id));
    }
  };

  const openBatch = (caller: Caller): Map<string, PendingRead> => {
    const known = batches.get(caller.owner);
    if (known) return known;
    const batch = new Map<string, PendingRead>();
    batches.set(caller.owner, batch);
    setImmediate(() => {
      batches.delete(caller.owner);
      void send(caller, batch);
    });
    return batch;
  };

  const read = (caller: Caller, id: string, watched?: Task): Promise<TaskOutcome> => {
    const key = keyOf(caller.owner, id);
    const known = inFlight.get(key);
    if (known) return known;
    const pending = Promise.withResolvers<TaskOutcome>();
    openBatch(caller).set(id, { ...pending, watched });
    inFlight.set(key, pending.promise);
    return pending.promise;
  };

  return {
    read: (caller, ids) => Promise.all(ids.map((id) => read(caller, id))),
    readAgain: (caller, tasks) => Promise.all(tasks.map((task) => read(caller, task.id, task))),
    async readFresh(caller, id) {
      await inFlight.get(keyOf(caller.owner, id));
      return read(caller, id);
    },
  };
}

function keyOf(owner: string, id: string): string {
  return `${owner} ${id}`;
}

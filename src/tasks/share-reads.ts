import type { Caller } from '../gateway/caller.ts';
import type { Task } from '../store/records.ts';
import type { TaskOutcome, TaskReaders } from './task-outcome.ts';
import { noLimits } from '../lib/fairness/fair-queue.ts';
import { createSharedWaits, type SharedWait } from '../lib/fairness/shared-waits.ts';
import { sliceMs } from '../lib/fairness/slice.ts';
import { toError } from '../lib/thrown.ts';

type Outcomes = ReadonlyMap<string, TaskOutcome>;

/** Reads tasks by id. The map's value is the task as last seen by a watch, if any. */
export type ReadAll = (caller: Caller, requested: ReadonlyMap<string, Task | undefined>) => Promise<Outcomes>;

/** Tasks of one owner that are read together. */
interface Batch {
  readonly requested: Map<string, Task | undefined>;
  readonly outcomes: Promise<Outcomes>;
}

/**
 * Coalesces all reads of one owner in one turn of the event loop. A read of a task that is already being read joins the
 * read in flight. Those that share a read go on in turns. Reads of callers without a credential are shared only among themselves.
 */
export function shareReads(readAll: ReadAll): TaskReaders {
  /** Batches that are not sent yet, by their sharers. */
  const open = new Map<string, Batch>();
  /** The batch in flight of each task, by sharers and id. */
  const inFlight = new Map<string, Map<string, Batch>>();

  const waits = createSharedWaits({ lengthMs: sliceMs.operations });
  const waitOf = (caller: Caller): SharedWait => waits([{ key: sharersOf(caller), limits: noLimits }]);

  const send = async (caller: Caller, requested: Batch['requested']): Promise<Outcomes> => {
    try {
      return await readAll(caller, requested);
    } catch (error) {
      const failure = toError(error);
      return new Map([...requested.keys()].map((id) => [id, failure]));
    } finally {
      const tasks = inFlight.get(sharersOf(caller));
      for (const id of requested.keys()) tasks?.delete(id);
      if (tasks?.size === 0) inFlight.delete(sharersOf(caller));
    }
  };

  const openBatch = (caller: Caller): Batch => {
    const requested: Batch['requested'] = new Map();
    const outcomes = new Promise<Outcomes>((resolve) => {
      setImmediate(() => {
        open.delete(sharersOf(caller));
        resolve(send(caller, requested));
      });
    });
    const batch = { requested, outcomes };
    open.set(sharersOf(caller), batch);
    return batch;
  };

  const inFlightOf = (sharers: string): Map<string, Batch> => {
    let tasks = inFlight.get(sharers);
    if (!tasks) inFlight.set(sharers, (tasks = new Map()));
    return tasks;
  };

  const join = (caller: Caller, id: string, watched?: Task): Batch => {
    const tasks = inFlightOf(sharersOf(caller));
    let batch = tasks.get(id);
    if (!batch) {
      batch = open.get(sharersOf(caller)) ?? openBatch(caller);
      batch.requested.set(id, watched);
      tasks.set(id, batch);
    }
    return batch;
  };

  const outcomesOf = async (
    caller: Caller,
    requested: readonly (readonly [id: string, watched?: Task])[],
  ): Promise<readonly TaskOutcome[]> => {
    const batches = requested.map(([id, watched]) => join(caller, id, watched));
    const read = new Map<Batch | undefined, Outcomes>();
    await waitOf(caller)(async () => {
      for (const batch of new Set(batches)) read.set(batch, await batch.outcomes);
    });
    return requested.map(([id], index) => read.get(batches[index])?.get(id));
  };

  return {
    read: (caller, ids) =>
      outcomesOf(
        caller,
        ids.map((id) => [id]),
      ),
    readAgain: (caller, tasks) =>
      outcomesOf(
        caller,
        tasks.map((task) => [task.id, task]),
      ),
    async readFresh(caller, id) {
      await inFlight.get(sharersOf(caller))?.get(id)?.outcomes;
      return (await outcomesOf(caller, [[id]]))[0];
    },
  };
}

/** The name of those whose reads are shared. Owners contain no spaces. */
function sharersOf({ owner, credential }: Caller): string {
  return credential === '' ? `${owner} without a credential` : owner;
}

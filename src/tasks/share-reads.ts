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
  readonly read: Promise<void>;
  /** Empty until they are read. */
  outcomes: Outcomes;
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

  const send = async (caller: Caller, batch: Batch): Promise<void> => {
    const sharers = sharersOf(caller);
    const { requested } = batch;
    try {
      batch.outcomes = await readAll(caller, requested);
    } catch (error) {
      const failure = toError(error);
      batch.outcomes = new Map([...requested.keys()].map((id) => [id, failure]));
    } finally {
      const tasks = inFlight.get(sharers);
      // The usual case: no other task of the owner is being read.
      if (tasks?.size === requested.size) inFlight.delete(sharers);
      else for (const id of requested.keys()) tasks?.delete(id);
    }
  };

  const openBatch = (caller: Caller): Batch => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const batch: Batch = { requested: new Map(), read: promise, outcomes: new Map() };
    setImmediate(() => {
      open.delete(sharersOf(caller));
      resolve(send(caller, batch));
    });
    open.set(sharersOf(caller), batch);
    return batch;
  };

  /** The batches of tasks. Those that are not being read join the one that is not sent yet. */
  const join = (caller: Caller, ids: readonly string[], watched?: readonly Task[]): readonly Batch[] => {
    const sharers = sharersOf(caller);
    const tasks = inFlight.get(sharers) ?? new Map<string, Batch>();
    inFlight.set(sharers, tasks);
    return ids.map((id, index) => {
      let batch = tasks.get(id);
      if (!batch) {
        batch = open.get(sharers) ?? openBatch(caller);
        batch.requested.set(id, watched?.[index]);
        tasks.set(id, batch);
      }
      return batch;
    });
  };

  const outcomesOf = async (
    caller: Caller,
    ids: readonly string[],
    watched?: readonly Task[],
  ): Promise<readonly TaskOutcome[]> => {
    if (ids.length === 0) return [];
    const batches = join(caller, ids, watched);
    await waitOf(caller)(async () => {
      let last: Batch | undefined;
      for (const batch of batches) if (batch !== last) await (last = batch).read;
    });
    return ids.map((id, index) => batches[index]?.outcomes.get(id));
  };

  return {
    read: (caller, ids) => outcomesOf(caller, ids),
    readAgain: (caller, tasks) =>
      outcomesOf(
        caller,
        tasks.map(({ id }) => id),
        tasks,
      ),
    async readFresh(caller, id) {
      await inFlight.get(sharersOf(caller))?.get(id)?.read;
      return (await outcomesOf(caller, [id]))[0];
    },
  };
}

/** The name of those whose reads are shared. Owners contain no spaces. */
function sharersOf({ owner, credential }: Caller): string {
  return credential === '' ? `${owner} without a credential` : owner;
}

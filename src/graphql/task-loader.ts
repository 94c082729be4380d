import { RequestError } from '../errors.ts';
import { createInFlight } from '../lib/in-flight.ts';
import { toError } from '../lib/thrown.ts';
import type { Task } from '../store/records.ts';
import type { TaskOutcome } from '../tasks/task-outcome.ts';

/** The task reads of one execution. All its fields share them, so that one answer shows one state of a task. */
export interface TaskLoader {
  /** Reads from the gateway unless the record is terminal. Reads each task once. */
  load(id: string): Promise<Task | undefined>;
  /** Like `load`, for many tasks at the price of one promise. Never rejects. */
  loadAll(ids: readonly string[]): Promise<readonly TaskOutcome[]>;
  /** The state that this execution has read, or was given. */
  shown(id: string): Task | undefined;
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

export type ReadTasks = (ids: readonly string[]) => Promise<readonly TaskOutcome[]>;

/** What this execution knows of a task. */
interface Entry {
  /** Resolves when `outcome` is known. */
  readonly read: Promise<void>;
  outcome: TaskOutcome;
  shown: Task | undefined;
}

/** Tasks that are read together. */
interface Batch {
  readonly ids: string[];
  readonly entries: Entry[];
  readonly read: Promise<void>;
}

/** @param onRead called with each task that was read, before any field receives it */
export function createTaskLoader(read: ReadTasks, onRead: (task: Task) => void): TaskLoader {
  const known = new Map<string, Entry>();
  const pending = createInFlight();
  const readBounded = boundedReads(read);
  /** Collects what fields load before the event loop goes on, as a `DataLoader` does. */
  let open: Batch | undefined;

  const readBatch = async ({ ids, entries }: Batch): Promise<void> => {
    const outcomes = await readBounded(ids).catch((error: unknown) => ids.map(() => toError(error)));
    let index = 0;
    for (const entry of entries) {
      const outcome = outcomes[index++];
      entry.outcome = outcome;
      if (!outcome || outcome instanceof Error) continue;
      entry.shown = outcome;
      onRead(outcome);
    }
    pending.add(-1);
  };
  const openBatch = (): Batch => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const batch: Batch = { ids: [], entries: [], read: promise };
    const close = (): void => {
      open = undefined;
      resolve(readBatch(batch));
    };
    pending.add(1);
    // After all promise reactions.
    void Promise.resolve().then(() => process.nextTick(close));
    return batch;
  };
  const find = (id: string): Entry => {
    let entry = known.get(id);
    if (!entry) {
      open ??= openBatch();
      entry = { read: open.read, outcome: undefined, shown: undefined };
      open.ids.push(id);
      open.entries.push(entry);
      known.set(id, entry);
    }
    return entry;
  };

  let settling: Promise<void> | undefined;
  const settle = async (): Promise<void> => {
    while (pending.count > 0) await pending.waitUntilIdle();
    settling = undefined;
  };
  return {
    track: (work) => pending.run(() => work),
    async load(id) {
      const entry = find(id);
      await entry.read;
      if (entry.outcome instanceof Error) throw entry.outcome;
      return entry.outcome;
    },
    async loadAll(ids) {
      const entries = ids.map(find);
      let read: Promise<void> | undefined;
      for (const entry of entries) if (entry.read !== read) await (read = entry.read);
      return entries.map(({ outcome }) => outcome);
    },
    shown: (id) => known.get(id)?.shown,
    prime(task) {
      const entry = known.get(task.id);
      if (entry) entry.shown = task;
      else known.set(task.id, { read: Promise.resolve(), outcome: task, shown: task });
    },
    clear: (id) => void known.delete(id),
    isPending: () => pending.count > 0,
    settled: () => (pending.count === 0 ? Promise.resolve() : (settling ??= settle())),
  };
}

/** Limits the reads of one operation. `ids` never repeats an id. */
function boundedReads(read: ReadTasks): ReadTasks {
  let remaining = maxTasksRead;
  return async (ids) => {
    if (ids.length <= remaining) {
      remaining -= ids.length;
      return read(ids);
    }
    const admitted = ids.slice(0, remaining);
    remaining = 0;
    const outcomes = await read(admitted);
    const refusal = new RequestError(
      'LIMIT_EXCEEDED',
      `One operation reads at most ${maxTasksRead} tasks from the gateway. Split it.`,
    );
    return ids.map((_id, index) => (index < admitted.length ? outcomes[index] : refusal));
  };
}

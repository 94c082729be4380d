import type { WriteRetries } from '../generations/write-retries.ts';
import type { Clock } from '../lib/clock.ts';
import { createInFlight } from '../lib/in-flight.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import {
  type GenerationPatch,
  type GenerationSummary,
  isPresumedFailed,
  isTerminal,
  type Task,
} from '../store/records.ts';
import type { SavedTask, Store } from '../store/store.ts';

export interface DeferredSavesOptions {
  readonly clock: Clock;
  readonly writeRetries: WriteRetries;
  readonly onFailed: (error: unknown, taskId: string) => void;
}

/** A reading that clients have seen and that is not recorded yet. */
interface Unsaved {
  task: Task;
  patch: GenerationPatch | undefined;
}

/** How long the reader of a task waits until its reading is recorded. */
const graceMs = 250;
/** While this many readings are not recorded, readers wait for theirs. */
const maxUnsaved = 10_000;

/**
 * Wraps a store: `saveTask` returns after a short wait even if another program holds the write lock, and the save continues.
 * Until it succeeds, all reads show the unsaved state, so that no answer contradicts an earlier one. Later readings of the
 * same task replace the waiting one, except that the first end wins. A save that fails within the wait rejects as before.
 */
export function deferTaskSaves(store: Store, options: DeferredSavesOptions): Store {
  const { clock, writeRetries } = options;
  const starting = new Map<string, Promise<unknown>>();
  const unsaved = new Map<string, Unsaved>();
  const following = createInFlight();
  let isClosed = false;

  /** Saves the newest reading, until it is the recorded one. */
  const saveNewest = async (key: string, entry: Unsaved): Promise<void> => {
    let saved: Task | undefined;
    while (saved !== entry.task) {
      const { task, patch } = entry;
      await store.saveTask(task, patch);
      saved = task;
    }
    unsaved.delete(key);
  };
  const follow = async (key: string, entry: Unsaved, saving: Promise<SavedTask>): Promise<void> => {
    const { task } = entry;
    try {
      await saving;
      if (entry.task === task) unsaved.delete(key);
      else await saveNewest(key, entry);
    } catch (error) {
      options.onFailed(error, task.id);
      if (!isClosed) writeRetries.add('a reading of a task', () => saveNewest(key, entry), { canWait: true });
    }
  };
  const save = async (key: string, task: Task, patch: GenerationPatch | undefined): Promise<SavedTask> => {
    const saving = store.saveTask(task, patch);
    if (unsaved.size >= maxUnsaved) return saving;
    const saved = await withTimeout(saving, { clock, timeoutMs: graceMs });
    if (saved) return saved;
    const entry: Unsaved = { task, patch };
    unsaved.set(key, entry);
    void following.run(() => follow(key, entry, saving));
    return { task };
  };
  const saveTask: Store['saveTask'] = async (task, patch) => {
    const key = keyOf(task.owner, task.id);
    while (starting.has(key)) await starting.get(key);
    const waiting = unsaved.get(key);
    if (!waiting) {
      const saving = save(key, task, patch).finally(() => starting.delete(key));
      starting.set(
        key,
        saving.catch(() => {}),
      );
      return saving;
    }
    if (isTerminal(waiting.task.status)) return { task: waiting.task };
    waiting.task = task;
    waiting.patch = patch ?? waiting.patch;
    return { task };
  };

  const shownTask = (owner: string, id: string, record: Task | undefined): Task | undefined => {
    const waiting = unsaved.get(keyOf(owner, id))?.task;
    // Another instance has recorded the end, or the generation was deleted.
    if (
      !waiting ||
      (record ? isTerminal(record.status) && !isPresumedFailed(record) : waiting.generationId !== undefined)
    )
      return record;
    return waiting;
  };
  const shown = <Record extends GenerationSummary | undefined>(record: Record): Record => {
    if (unsaved.size === 0 || record?.taskId === undefined || record.finishedAt !== undefined) return record;
    return { ...record, ...unsaved.get(keyOf(record.owner, record.taskId))?.patch };
  };
  return {
    ...store,
    saveTask,
    async findTasks(owner, ids) {
      const records = await store.findTasks(owner, ids);
      return unsaved.size === 0 ? records : ids.map((id, index) => shownTask(owner, id, records[index]));
    },
    findGenerations: async (owner, ids) => (await store.findGenerations(owner, ids)).map(shown),
    findSummaries: async (owner, ids) => (await store.findSummaries(owner, ids)).map(shown),
    listGenerations: async (owner, filter, page) =>
      (await store.listGenerations(owner, filter, page)).map(shown),
    async close() {
      isClosed = true;
      await following.waitUntilIdle();
      await store.close();
    },
  };
}

function keyOf(owner: string, id: string): string {
  return `${owner} ${id}`;
}

import type { GenerationSummary } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** Wraps a store: calls back after each write that may have ended a generation. */
export function wakeOnEnds(store: Store, onEnd: () => void): Store {
  const check = <Changed extends GenerationSummary | undefined>(generation: Changed): Changed => {
    if (generation?.finishedAt !== undefined) onEnd();
    return generation;
  };
  return {
    ...store,
    settle: async (creationId, settlement) => check(await store.settle(creationId, settlement)),
    endGeneration: async (id, end) => check(await store.endGeneration(id, end)),
    saveTask: async (task, patch) => {
      const saved = await store.saveTask(task, patch);
      check(saved.generation);
      return saved;
    },
    recover: async (orphans, recovery) => {
      const changed = await store.recover(orphans, recovery);
      for (const generation of changed) check(generation);
      return changed;
    },
  };
}

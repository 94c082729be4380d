import type { Bus } from '../bus/bus.ts';
import type { Generation } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** A store that says, after each change of a visible generation, that there is something to look at. */
export function publishChanges(store: Store, bus: Bus): Store {
  const announce = (generation: Generation | undefined): Generation | undefined => {
    if (generation?.isVisible) bus.publish(generationTopic(generation.owner), generation.id);
    return generation;
  };
  return {
    ...store,
    settle: async (creationId, settlement) => announce(await store.settle(creationId, settlement)),
    endGeneration: async (id, end) => announce(await store.endGeneration(id, end)),
    saveTask: async (task, patch) => {
      const saved = await store.saveTask(task, patch);
      announce(saved.generation);
      return saved;
    },
    recover: async (recovery) => {
      const changed = await store.recover(recovery);
      for (const generation of changed) announce(generation);
      return changed;
    },
  };
}

/** Where an owner's changes are announced; the subject is the generation's id. */
export function generationTopic(owner: string): string {
  return `generations ${owner}`;
}

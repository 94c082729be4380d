import type { Bus } from '../bus/bus.ts';
import type { GenerationSummary } from '../store/records.ts';
import type { RemovedGeneration, Store } from '../store/store.ts';

/** Wraps a store: publishes each committed change of a visible generation on the bus, each deletion, and the end of creates. */
export function publishChanges(store: Store, bus: Bus): Store {
  const publish = (generation: GenerationSummary | undefined): GenerationSummary | undefined => {
    if (generation?.isVisible) bus.publish(generationTopic(generation.owner), generation.id);
    return generation;
  };
  const publishRemoved = (removed: readonly RemovedGeneration[]): void => {
    for (const { owner, id } of removed) bus.publish(generationTopic(owner), id);
  };
  return {
    ...store,
    settle: async (creationId, settlement) => {
      const generation = await store.settle(creationId, settlement);
      bus.publish(creationTopic(creationId), '');
      return publish(generation);
    },
    endGeneration: async (id, end) => publish(await store.endGeneration(id, end)),
    saveTask: async (task, patch) => {
      const saved = await store.saveTask(task, patch);
      // Clients see neither the number of refused reads nor the time of the last one.
      if (patch || !task.refusedReads) publish(saved.generation);
      bus.publish(taskTopic(task.owner), task.id);
      return saved;
    },
    release: async (creationId, options) => {
      const released = await store.release(creationId, options);
      bus.publish(creationTopic(creationId), '');
      if (released) publishRemoved([released]);
      return released;
    },
    deleteGenerations: async (owner, ids, options) => {
      const deleted = await store.deleteGenerations(owner, ids, options);
      publishRemoved(deleted.map((id) => ({ owner, id })));
      return deleted;
    },
    makeRoom: async (owner, options) => {
      const room = await store.makeRoom(owner, options);
      publishRemoved(room.generations);
      return room;
    },
    sweep: async (expiry) => {
      const swept = await store.sweep(expiry);
      publishRemoved(swept.generations);
      return swept;
    },
    recover: async (orphans, recovery) => {
      const recovered = await store.recover(orphans, recovery);
      for (const generation of recovered) publish(generation);
      return recovered;
    },
  };
}

/** Bus topic for an owner's generations. The subject of a message is the generation's id. */
export function generationTopic(owner: string): string {
  return `generations ${owner}`;
}

/** The owner in a bus topic for generations. Undefined for other topics. */
export function ownerOfTopic(topic: string): string | undefined {
  return topic.startsWith(generationTopic('')) ? topic.slice(generationTopic('').length) : undefined;
}

/** Bus topic for the end of one create. The subject of its messages is empty. */
export function creationTopic(creationId: string): string {
  return `creation ${creationId}`;
}

/** Bus topic for the recorded tasks of an owner. The subject of a message is the task's id. */
export function taskTopic(owner: string): string {
  return `tasks ${owner}`;
}

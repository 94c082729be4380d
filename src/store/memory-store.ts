import { randomBytes } from 'node:crypto';
import type { AccessToken, Creation, Generation, GenerationPatch, Task } from './records.ts';
import { type GenerationPage, type GenerationPosition, isMatch, type Store } from './store.ts';

export interface MemoryStoreOptions {
  /** The oldest finished generations beyond this many are forgotten. @default 10000 */
  readonly maxGenerations?: number;
}

/** Records that live as long as the process. */
export function createMemoryStore({ maxGenerations = 10_000 }: MemoryStoreOptions = {}): Store {
  const secret = randomBytes(32);
  const generations = new Map<string, Generation>();
  const creations = new Map<string, Creation>();
  const keys = new Map<string, string>();
  const tokens = new Map<string, AccessToken>();
  const tasks = new Map<string, Task>();
  const creationOf = new Map<string, string>();

  const forgetCreation = (creation: Creation): void => {
    creations.delete(creation.id);
    creationOf.delete(creation.subjectId);
    if (creation.key !== undefined) keys.delete(keyOf(creation.owner, creation.key));
  };
  const forgetOldest = (): void => {
    for (const [id, generation] of generations) {
      if (generations.size <= maxGenerations) return;
      if (generation.finishedAt === undefined) continue;
      generations.delete(id);
      if (generation.taskId !== undefined) tasks.delete(keyOf(generation.owner, generation.taskId));
      const creation = creations.get(creationOf.get(id) ?? '');
      if (creation) forgetCreation(creation);
    }
  };
  const setPhase = (creationId: string, phase: Creation['phase']): Creation | undefined => {
    const creation = creations.get(creationId);
    if (creation) creations.set(creationId, { ...creation, phase });
    return creation;
  };
  const findOwn = <T extends { readonly owner: string }>(
    map: ReadonlyMap<string, T>,
    owner: string,
    ids: readonly string[],
  ) =>
    ids.map((id) => {
      const record = map.get(id);
      return record?.owner === owner ? record : undefined;
    });

  const patchGeneration = (
    id: string | undefined,
    patch: GenerationPatch | undefined,
  ): Generation | undefined => {
    const generation = generations.get(id ?? '');
    if (!generation || !patch) return generation;
    const updated = { ...generation, ...patch };
    generations.set(generation.id, updated);
    return updated;
  };
  const setTask = (task: Task): void => {
    tasks.set(keyOf(task.owner, task.id), task);
    // Adopted tasks have no generation whose age would take them along.
    for (const [key, old] of tasks) {
      if (tasks.size <= maxGenerations * 2) return;
      if (old.generationId === undefined) tasks.delete(key);
    }
  };

  return {
    secret: async () => secret,

    async claim(creation, generation) {
      if (creation.key !== undefined) {
        const holder = creations.get(keys.get(keyOf(creation.owner, creation.key)) ?? '');
        if (holder) return holder;
        keys.set(keyOf(creation.owner, creation.key), creation.id);
      }
      creations.set(creation.id, creation);
      creationOf.set(creation.subjectId, creation.id);
      if (generation) generations.set(generation.id, generation);
      forgetOldest();
      return undefined;
    },
    async markSending(creationId) {
      setPhase(creationId, 'SENDING');
    },
    async settle(creationId, { phase, generation, accessToken, task }) {
      if (accessToken) tokens.set(accessToken.id, accessToken);
      if (task) setTask(task);
      return patchGeneration(setPhase(creationId, phase)?.subjectId, generation);
    },
    async release(creationId, { keepGeneration = false } = {}) {
      const creation = creations.get(creationId);
      if (!creation) return;
      forgetCreation(creation);
      if (!keepGeneration) generations.delete(creation.subjectId);
    },
    findCreation: async (owner, key) => creations.get(keys.get(keyOf(owner, key)) ?? ''),

    findGenerations: async (owner, ids) => findOwn(generations, owner, ids),
    updateGeneration: async (id, patch) => patchGeneration(id, patch),
    async listGenerations(owner, filter, page) {
      const matching = [...generations.values()]
        .filter(
          (generation) => generation.owner === owner && generation.isVisible && isMatch(generation, filter),
        )
        .toSorted(compare)
        .filter((generation) => isWithin(generation, page));
      return page.fromEnd ? matching.slice(-page.limit) : matching.slice(0, page.limit);
    },

    findTasks: async (owner, ids) => ids.map((id) => tasks.get(keyOf(owner, id))),
    async saveTask(task, generation) {
      setTask(task);
      return patchGeneration(task.generationId, generation);
    },

    findAccessTokens: async (owner, ids) => findOwn(tokens, owner, ids),

    isReady: async () => true,
    async close() {},
  };
}

function keyOf(owner: string, key: string): string {
  return JSON.stringify([owner, key]);
}

/** Newest first; the id decides between equal times. */
function compare(left: GenerationPosition, right: GenerationPosition): number {
  if (left.createdAt !== right.createdAt) return right.createdAt - left.createdAt;
  return left.id < right.id ? 1 : Number(left.id !== right.id) * -1;
}

function isWithin(generation: Generation, { after, before }: GenerationPage): boolean {
  return (!after || compare(generation, after) > 0) && (!before || compare(generation, before) < 0);
}

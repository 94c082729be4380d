import { randomBytes } from 'node:crypto';
import type { AccessToken, Creation, Generation } from './records.ts';
import type { GenerationFilter, GenerationPage, GenerationPosition, Store } from './store.ts';

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
    async settle(creationId, { phase, generation: patch, accessToken }) {
      const creation = setPhase(creationId, phase);
      const generation = creation && generations.get(creation.subjectId);
      if (generation && patch) generations.set(generation.id, { ...generation, ...patch });
      if (accessToken) tokens.set(accessToken.id, accessToken);
    },
    async release(creationId, { keepGeneration = false } = {}) {
      const creation = creations.get(creationId);
      if (!creation) return;
      forgetCreation(creation);
      if (!keepGeneration) generations.delete(creation.subjectId);
    },
    findCreation: async (owner, key) => creations.get(keys.get(keyOf(owner, key)) ?? ''),

    findGenerations: async (owner, ids) => findOwn(generations, owner, ids),
    async updateGeneration(id, patch) {
      const generation = generations.get(id);
      if (!generation) return undefined;
      const updated = { ...generation, ...patch };
      generations.set(id, updated);
      return updated;
    },
    async listGenerations(owner, filter, page) {
      const matching = [...generations.values()]
        .filter(
          (generation) => generation.owner === owner && generation.isVisible && isMatch(generation, filter),
        )
        .toSorted(compare)
        .filter((generation) => isWithin(generation, page));
      return page.fromEnd ? matching.slice(-page.limit) : matching.slice(0, page.limit);
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

function isMatch(generation: Generation, filter: GenerationFilter): boolean {
  return (
    (!filter.kinds || filter.kinds.includes(generation.kind)) &&
    (!filter.statuses || filter.statuses.includes(generation.status)) &&
    (!filter.models || (generation.model !== undefined && filter.models.includes(generation.model))) &&
    (filter.group === undefined || filter.group === generation.group) &&
    (filter.createdAfter === undefined || generation.createdAt > filter.createdAfter) &&
    (filter.createdBefore === undefined || generation.createdAt < filter.createdBefore)
  );
}

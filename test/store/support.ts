import { randomId } from '../../src/lib/ids.ts';
import type { AccessToken, Creation, Generation, GenerationSummary, Task } from '../../src/store/records.ts';
import type { Abandonment, RecordLimits, Recovery, Store } from '../../src/store/store.ts';
import type { ManualClock } from '../support/manual-clock.ts';

/** A location of records. Several instances can open it. */
export interface StoreLocation {
  /** Opens another instance, which is closed when the test ends. */
  open(options: {
    readonly clock: ManualClock;
    readonly leaseMs?: number;
    readonly recordLimits?: RecordLimits;
  }): Promise<Store>;
}

export const owner = 'owner-a';
export const other = 'owner-b';

export function buildGeneration(members: Partial<Generation> = {}): Generation {
  return {
    id: randomId('generation'),
    owner,
    kind: 'CHAT',
    status: 'RUNNING',
    model: 'm',
    createdAt: 1000,
    input: { model: 'm' },
    isVisible: true,
    ...members,
  };
}

export function buildCreation(subjectId: string, members: Partial<Creation> = {}): Creation {
  return {
    id: randomId('creation'),
    owner,
    key: 'client:k',
    operation: 'chat',
    fingerprint: 'f',
    phase: 'SENDING',
    subjectId,
    createdAt: 1000,
    ...members,
  };
}

export function buildTask(members: Partial<Task> = {}): Task {
  return {
    id: 'task_1',
    owner,
    kind: 'SONG',
    upstreamId: 'u',
    status: 'QUEUED',
    updatedAt: 1000,
    ...members,
  };
}

export function buildAccessToken(members: Partial<AccessToken> = {}): AccessToken {
  return {
    id: randomId('token'),
    owner,
    name: 'n',
    allowIps: [],
    groups: [],
    createdAt: 1000,
    ...members,
  };
}

/** A generation as stored by a create without a key. */
export async function record(store: Store, members: Partial<Generation> = {}): Promise<Generation> {
  const generation = buildGeneration({ finishedAt: 2000, status: 'SUCCEEDED', ...members });
  const creation = buildCreation(generation.id, { key: undefined, owner: generation.owner });
  await store.claim(creation, generation);
  await store.settle(creation.id, { phase: 'SETTLED' });
  return generation;
}

/** Calls back for each index. Stores write many at a time much faster than one after another. */
export async function inBatches(count: number, act: (index: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < count; start += 50) {
    const indexes = Array.from({ length: Math.min(50, count - start) }, (_, index) => start + index);
    await Promise.all(indexes.map(act));
  }
}

/** What writes return of a generation. */
export function toSummary({
  prompt: _prompt,
  input: _input,
  output: _output,
  raw: _raw,
  ...summary
}: Generation): GenerationSummary {
  return summary;
}

/** Every unfinished task is still polled. */
export const noneAbandoned: Abandonment = { canRead: () => true, followedAfter: 0 };

/** Settles all orphans at once. */
export async function recoverAll(store: Store): Promise<readonly GenerationSummary[]> {
  return store.recover(await store.findOrphans(), recovery);
}

export const recovery: Recovery = {
  unknown: {
    status: 'UNKNOWN',
    finishedAt: 9000,
    isVisible: true,
    error: { code: 'OUTCOME_UNKNOWN', message: 'u' },
  },
  interrupted: {
    status: 'FAILED',
    finishedAt: 9000,
    isVisible: true,
    error: { code: 'INTERRUPTED', message: 'i' },
  },
};

import { expect } from 'vitest';
import type { Generation } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createRandom } from '../support/random.ts';
import {
  buildCreation,
  buildGeneration,
  buildTask,
  owner,
  recoverAll,
  recovery,
  type StoreLocation,
} from './support.ts';

export interface RandomRecordsOptions {
  readonly location: StoreLocation;
  /** Whether several instances can open the location. */
  readonly isShared: boolean;
  readonly seed: number;
}

interface Subject {
  readonly creationId: string;
  /** Last state of the record. */
  snapshot: Generation;
}

const dayMs = 86_400_000;

/**
 * Applies a random sequence of creates, ends, task reads, deletions, expiries and crashes. Returns a store, and the last
 * state of every generation that was not discarded with its create.
 */
export async function runRandomRecords({ location, isShared, seed }: RandomRecordsOptions) {
  const random = createRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => {
    // Every index below the length has an item.
    return items[Math.floor(random() * items.length)] as Item;
  };
  const clock = createManualClock();
  const stores: Store[] = [await location.open({ clock })];
  if (isShared) stores.push(await location.open({ clock }));
  const live = new Map<string, Subject>();
  const snapshots: Generation[] = [];
  let turn = 0;

  /** Updates the snapshots. A generation that vanished was either deleted, and still counts, or discarded. */
  const refresh = async (isDiscarding: boolean): Promise<void> => {
    const ids = [...live.keys()];
    const found = await pick(stores).findGenerations(owner, ids);
    for (const [index, id] of ids.entries()) {
      const subject = live.get(id);
      const generation = found[index];
      if (!subject) continue;
      if (generation) subject.snapshot = generation;
      else {
        live.delete(id);
        if (!isDiscarding) snapshots.push(subject.snapshot);
      }
    }
  };

  /** Every store finds the same tasks, whether it has cached them or not. */
  const checkTasks = async (): Promise<void> => {
    const ids = [...live.values()].flatMap(({ snapshot: { taskId } }) => taskId ?? []);
    const [first, ...others] = await Promise.all(
      [...stores, ...stores].map((store) => store.findTasks(owner, ids)),
    );
    expect(others).toEqual(others.map(() => first));
    // A record is cached when it is measured, too.
    for (const store of stores) {
      const sizes = await store.measureTasks(owner, ids);
      expect(sizes.map((size) => size !== undefined)).toEqual(first?.map((task) => task !== undefined));
    }
  };

  const end = () =>
    ({
      status: pick(['SUCCEEDED', 'FAILED', 'CANCELED'] as const),
      finishedAt: 1000 + turn,
      isVisible: true,
      usage: pick([undefined, { totalTokens: turn }]),
      ...pick([{}, { output: { type: 'ü'.repeat(turn) }, raw: turn }, { raw: undefined, output: undefined }]),
    }) as const;

  const steps: Record<string, (store: Store, subject: Subject) => Promise<unknown>> = {
    async create(store) {
      const generation = buildGeneration({
        isVisible: false,
        prompt: pick([undefined, 'é'.repeat(turn)]),
        kind: pick(['CHAT', 'SONG']),
        model: pick(['m', 'n', 'none']) === 'none' ? undefined : pick(['m', 'n']),
        collection: pick(['c', 'none']) === 'c' ? 'c' : undefined,
        createdAt: Math.floor(random() * 3 * dayMs),
      });
      const key = `client:${Math.floor(random() * 120)}`;
      const creation = buildCreation(generation.id, { key });
      const holder = await store.claim(creation, generation);
      if (!holder) live.set(generation.id, { creationId: creation.id, snapshot: generation });
    },
    settle: (store, { creationId }) =>
      store.settle(creationId, { phase: 'SETTLED', generation: pick([{ isVisible: true }, end()]) }),
    settleTask: (store, { creationId, snapshot: { id } }) =>
      store.settle(creationId, {
        phase: 'SETTLED',
        generation: { isVisible: true, status: 'QUEUED', taskId: `task_${id}`, openTask: {} },
        task: buildTask({ id: `task_${id}`, generationId: id }),
      }),
    lose: (store, { creationId }) =>
      store.settle(creationId, { phase: 'UNKNOWN', generation: recovery.unknown }),
    end: (store, { snapshot }) => store.endGeneration(snapshot.id, end()),
    readTask: (store, { snapshot: { id, taskId } }) => {
      const patch = pick([end(), { status: 'RUNNING' } as const]);
      return taskId === undefined
        ? Promise.resolve()
        : store.saveTask(buildTask({ id: taskId, generationId: id, status: patch.status }), patch);
    },
    forget: (store, { snapshot }) => store.deleteGenerations(owner, [snapshot.id]),
    sweep: (store) =>
      store.sweep({
        keysBefore: 0,
        generationsBefore: 1000 + turn - 30,
        canRead: pick([() => true, (kind: string) => kind !== 'SONG']),
        followedAfter: 0,
        limit: 3,
      }),
    async crash(store) {
      if (!isShared) return;
      await store.close();
      stores.splice(stores.indexOf(store), 1, await location.open({ clock }));
      await recoverAll(pick(stores));
    },
  };
  /** Steps that remove the generations of refused creates. */
  const discards: Record<string, (store: Store, subject: Subject) => Promise<unknown>> = {
    release: (store, { creationId }) => store.release(creationId),
  };

  const all = { ...steps, ...discards };
  for (turn = 1; turn <= 300; turn += 1) {
    const name = random() < 0.3 || live.size === 0 ? 'create' : pick(Object.keys(all));
    const subject = live.size === 0 ? undefined : pick([...live.values()]);
    const step = all[name];
    if (!step) throw new Error(`no step ${name}`);
    await step(pick(stores), subject ?? { creationId: '', snapshot: buildGeneration() });
    await refresh(name in discards || name === 'create');
    await checkTasks();
  }
  return {
    store: pick(stores),
    snapshots: [...snapshots, ...[...live.values()].map(({ snapshot }) => snapshot)],
  };
}

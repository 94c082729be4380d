import type { Bus } from '../bus/bus.ts';
import { follow } from '../lib/follow.ts';
import { mapPresent } from '../lib/iterate.ts';
import type { Generation } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { generationTopic } from './publish-changes.ts';

export interface WatchOptions {
  readonly store: Store;
  readonly bus: Bus;
  readonly owner: string;
  /** Which ones; all when absent. */
  readonly isWanted?: (generation: Generation) => boolean;
}

/** An owner's generations as they change, each as it is when it is looked at. Never completes by itself. */
export function watchGenerations({
  store,
  bus,
  owner,
  isWanted = () => true,
}: WatchOptions): AsyncIterableIterator<Generation, undefined> {
  // Changes of one generation that wait for a slow reader become one.
  const changed = new Set<string>();
  const ids = follow<string>({
    open: (wake) =>
      bus.subscribe(generationTopic(owner), (id) => {
        changed.add(id);
        wake();
      }),
    take() {
      const [id] = changed;
      if (id === undefined) return 'wait';
      changed.delete(id);
      return { value: id };
    },
  });
  return mapPresent(ids, async (id) => {
    const [generation] = await store.findGenerations(owner, [id]);
    return generation && isWanted(generation) ? generation : undefined;
  });
}

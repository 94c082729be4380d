import type { Bus } from '../bus/bus.ts';
import { follow } from '../lib/follow.ts';
import { mapPresent } from '../lib/iterate.ts';
import type { GenerationSummary } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { generationTopic } from './publish-changes.ts';

/** One or more changes of a generation, with its record after the last of them. */
export interface GenerationChange {
  readonly id: string;
  /** Undefined if the record was deleted. */
  readonly generation: GenerationSummary | undefined;
}

export interface WatchOptions {
  readonly store: Store;
  readonly bus: Bus;
  readonly owner: string;
  readonly isWanted: (change: GenerationChange) => boolean;
  /** The generations that may have changed while messages of other instances were lost. They count as changed. @default none */
  readonly findMissed?: () => Promise<readonly string[]>;
}

/** An owner's generations as they change, each read when it is delivered. Never completes on its own. */
export function watchGenerations({
  store,
  bus,
  owner,
  isWanted,
  findMissed,
}: WatchOptions): AsyncIterableIterator<GenerationChange, undefined> {
  // Coalesces changes of one generation while the reader is slow.
  const changed = new Set<string>();
  const ids = follow<string>({
    open(wake) {
      const add = (ids: readonly string[]): void => {
        for (const id of ids) changed.add(id);
        wake();
      };
      return bus.subscribe(
        generationTopic(owner),
        (id) => add([id]),
        // While the records cannot be read, the next gap reads them.
        () => void findMissed?.().then(add, () => {}),
      );
    },
    take() {
      const [id] = changed;
      if (id === undefined) return 'wait';
      changed.delete(id);
      return { value: id };
    },
  });
  return mapPresent(ids, async (id) => {
    const [generation] = await store.findSummaries(owner, [id]);
    const change = { id, generation };
    return isWanted(change) ? change : undefined;
  });
}

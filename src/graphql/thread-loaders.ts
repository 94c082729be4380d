import DataLoader from 'dataloader';
import type { GenerationSummary } from '../store/records.ts';
import type { ThreadSize } from '../store/store.ts';
import { type ChargedLoaderOptions, readWithinBudget } from './contents.ts';

type Leaf = Pick<GenerationSummary, 'id' | 'turn'>;

/** The last turn of a thread determines it. */
export type ThreadLoader = DataLoader<Leaf, readonly GenerationSummary[], string>;
export type ThreadSizeLoader = DataLoader<Leaf, ThreadSize | undefined, string>;

/** About the memory of one generation without its contents. */
const summaryBytes = 500;
/** About the memory of one row of a path. */
const stepBytes = 100;
/** Turns that one statement measures, because SQLite reads on the main thread. */
const maxSteps = 2000;

export function createThreadLoader({ store, owner, budget }: ChargedLoaderOptions): ThreadLoader {
  return new DataLoader<Leaf, readonly GenerationSummary[], string>(
    async (leaves) => {
      if (owner === undefined) return leaves.map(() => []);
      return readWithinBudget(leaves, {
        budget,
        sizeOf: (leaf) => turnsOf(leaf) * summaryBytes,
        async read(admitted) {
          const threads: (readonly GenerationSummary[])[] = [];
          for (const { id } of admitted) {
            const { turns } = await store.findThread(owner, id);
            threads.push(turns.map(({ generation }) => generation));
          }
          return threads;
        },
      });
    },
    { cacheKeyFn: ({ id }) => id },
  );
}

export function createThreadSizeLoader({ store, owner, budget }: ChargedLoaderOptions): ThreadSizeLoader {
  return new DataLoader<Leaf, ThreadSize | undefined, string>(
    async (leaves) => {
      if (owner === undefined) return leaves.map(() => undefined);
      return readWithinBudget(leaves, {
        budget,
        sizeOf: (leaf) => turnsOf(leaf) * stepBytes,
        async read(admitted) {
          const sizes: (ThreadSize | undefined)[] = [];
          for (const batch of batchesOf(admitted))
            sizes.push(
              ...(await store.measureThreads(
                owner,
                batch.map(({ id }) => id),
              )),
            );
          return sizes;
        },
      });
    },
    { cacheKeyFn: ({ id }) => id },
  );
}

function turnsOf({ turn }: Leaf): number {
  return (turn?.depth ?? 0) + 1;
}

function batchesOf(leaves: readonly Leaf[]): readonly (readonly Leaf[])[] {
  const batches: Leaf[][] = [];
  let steps = 0;
  for (const leaf of leaves) {
    if (batches.length === 0 || steps + turnsOf(leaf) > maxSteps) {
      batches.push([]);
      steps = 0;
    }
    batches.at(-1)?.push(leaf);
    steps += turnsOf(leaf);
  }
  return batches;
}

import DataLoader from 'dataloader';
import { readInBatches } from '../generations/read-in-batches.ts';
import type { ContentName, ContentRef, Contents, LazyGeneration } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { AnswerBudget } from './answer-budget.ts';
import type { Context } from './context.ts';

/** Reads contents of generations: large values that lists leave out. */
export type ContentLoader = DataLoader<ContentRef, unknown, string>;

/** Of a loader that charges what it reads to the budget of the answer. */
export interface ChargedLoaderOptions {
  readonly store: Store;
  readonly owner: string | undefined;
  readonly budget: AnswerBudget;
}

/** Measures contents before it reads them. A content without room in the budget is not read and fails with its error. */
export function createContentLoader({ store, owner, budget }: ChargedLoaderOptions): ContentLoader {
  return new DataLoader<ContentRef, unknown, string>(
    async (refs) => {
      if (owner === undefined) return refs.map(() => undefined);
      const sizes = await store.measureContents(owner, refs);
      const sizeByRef = new Map(refs.map((ref, index) => [ref, sizes[index]]));
      return readWithinBudget(refs, {
        budget,
        sizeOf: (_ref, index) => sizes[index],
        read: (admitted) =>
          readInBatches(admitted, {
            sizeOf: (ref) => sizeByRef.get(ref) ?? 0,
            read: (batch) => store.findContents(owner, batch),
          }),
      });
    },
    { cacheKeyFn: keyOf },
  );
}

export interface BoundedRead<Key, Value> {
  readonly budget: AnswerBudget;
  readonly sizeOf: (key: Key, index: number) => number | undefined;
  readonly read: (keys: readonly Key[]) => Promise<readonly Value[]>;
}

/** Reads the keys that the budget has room for. The others get its error. */
export async function readWithinBudget<Key, Value>(
  keys: readonly Key[],
  { budget, sizeOf, read }: BoundedRead<Key, Value>,
): Promise<readonly (Value | Error)[]> {
  let bytes = 0;
  const isAdmitted = keys.map((key, index) => {
    const size = sizeOf(key, index) ?? 0;
    const admitted = budget.admitRead(size);
    if (admitted) bytes += size;
    return admitted;
  });
  await budget.waitForRoom(bytes);
  if (!isAdmitted.includes(false)) return read(keys);
  const wanted = keys.filter((_key, index) => isAdmitted[index]);
  const values = await read(wanted);
  let next = 0;
  return isAdmitted.flatMap<Value | Error>((is) => (is ? values.slice(next, (next += 1)) : [budget.error]));
}

function keyOf({ id, name }: ContentRef): string {
  return `${name} ${id}`;
}

/** A content of a generation: the value that it holds, or a read. */
export function contentOf<Name extends ContentName>(
  generation: LazyGeneration,
  name: Name,
  { loaders }: Context,
): Contents[Name] | undefined | Promise<Contents[Name] | undefined> {
  const contents: Partial<Contents> = generation;
  if (name in contents) return contents[name];
  const { id } = generation;
  // The store returns the content as it was saved.
  return loaders.content.load({ id, name }) as Promise<Contents[Name] | undefined>;
}

/** The generation with these contents. */
export async function withContents<Shown extends LazyGeneration>(
  generation: Shown,
  names: readonly ContentName[],
  { loaders }: Context,
): Promise<Shown> {
  const missing = names.filter((name) => !(name in generation));
  if (missing.length === 0) return generation;
  const values = await loaders.content.loadMany(missing.map((name) => ({ id: generation.id, name })));
  const failed = values.find((value) => value instanceof Error);
  if (failed) throw failed;
  return { ...generation, ...Object.fromEntries(missing.map((name, index) => [name, values[index]])) };
}

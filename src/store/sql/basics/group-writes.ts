export interface GroupOptions<Item, Result> {
  /**
   * Writes the items in one transaction. Returns their results in the same order. The items are sorted by key, so that
   * concurrent transactions lock their rows in the same order.
   */
  readonly write: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Items with the same key are written one after the other. */
  readonly keyOf: (item: Item) => string;
  /** @default 1 */
  readonly sizeOf?: (item: Item) => number;
  /** Largest group, unless one item is larger: other writers wait for its transaction. */
  readonly maxSize: number;
  /** @default no limit */
  readonly maxItems?: number;
}

interface Waiting<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item;
}

/** Groups the writes of one turn of the event loop, because a commit costs more than a small write. */
export function groupWrites<Item, Result>(
  options: GroupOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  /** The last write of each key, until it ends. */
  const last = new Map<string, Promise<void>>();

  const writeGroup = async (unsorted: readonly Waiting<Item, Result>[]): Promise<void> => {
    const group = unsorted.toSorted((left, right) =>
      options.keyOf(left.item) < options.keyOf(right.item) ? -1 : 1,
    );
    try {
      const results = await options.write(group.map(({ item }) => item));
      for (const [index, result] of results.entries()) group[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  /** A database with several connections would not keep the order of two writes. */
  const writeInOrder = async (group: readonly Waiting<Item, Result>[]): Promise<void> => {
    const keys = group.map(({ item }) => options.keyOf(item));
    const earlier = keys.flatMap((key) => last.get(key) ?? []);
    const writing =
      earlier.length > 0 ? Promise.all(earlier).then(() => writeGroup(group)) : writeGroup(group);
    for (const key of keys) last.set(key, writing);
    await writing;
    for (const key of keys) if (last.get(key) === writing) last.delete(key);
  };
  const writeAll = (): void => {
    const all = waiting;
    waiting = [];
    for (const group of toGroups(all, options)) void writeInOrder(group);
  };

  return (item) => {
    if (waiting.length === 0) setImmediate(writeAll);
    const entry = { ...Promise.withResolvers<Result>(), item };
    waiting.push(entry);
    return entry.promise;
  };
}

/** Keeps the order. No group is too large or contains a key twice. */
function toGroups<Item, Result>(
  all: readonly Waiting<Item, Result>[],
  { keyOf, sizeOf = () => 1, maxSize, maxItems = Infinity }: GroupOptions<Item, Result>,
): readonly (readonly Waiting<Item, Result>[])[] {
  const groups: Waiting<Item, Result>[][] = [];
  let keys = new Set<string>();
  let size = 0;
  for (const entry of all) {
    const [key, added] = [keyOf(entry.item), sizeOf(entry.item)];
    if (groups.length === 0 || keys.has(key) || keys.size >= maxItems || size + added > maxSize) {
      groups.push([]);
      keys = new Set();
      size = 0;
    }
    groups.at(-1)?.push(entry);
    keys.add(key);
    size += added;
  }
  return groups;
}

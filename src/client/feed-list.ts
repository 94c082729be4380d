/** What orders a list. `createdAt` is text as the server writes it, so that its order is that of time. */
export interface FeedItem {
  readonly id: string;
  readonly createdAt: string;
}

/** A list of generations, newest first, without doubles. Start from `toFeedList`. */
export interface FeedList<Item extends FeedItem = FeedItem> {
  readonly items: readonly Item[];
  /** Whether older items exist that have not been read. */
  readonly hasMore: boolean;
  /** Cursor of the next page. */
  readonly pageCursor: string | null;
  /** The oldest place that has been read. While `hasMore`, items before it belong to pages that follow. */
  readonly oldest: FeedItem | null;
  /** `after` of `generationChanged`. */
  readonly cursor: string;
  /** Changes are missing: read the list again. */
  readonly isStale: boolean;
}

/** An event of `generationChanged`. The selection of the generation is yours, with `id` and `createdAt`. */
export type FeedEvent<Item extends FeedItem = FeedItem> =
  | {
      readonly __typename: 'GenerationChanged';
      readonly cursor: string;
      readonly generationId: string;
      readonly matchesFilter: boolean;
      readonly generation: Item;
    }
  | { readonly __typename: 'GenerationDeleted'; readonly cursor: string; readonly generationId: string }
  | { readonly __typename: 'FeedReset'; readonly cursor: string };

/** A page of `generations`, newest first. */
export interface FeedPage<Item extends FeedItem = FeedItem> {
  readonly edges: readonly { readonly node: Item }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** The list of a first page, which was read with `feedCursor`. */
export function toFeedList<Item extends FeedItem>(
  page: FeedPage<Item> & { readonly feedCursor: string },
): FeedList<Item> {
  const empty = { items: [], pageCursor: null, oldest: null, cursor: page.feedCursor };
  return addFeedPage({ ...empty, hasMore: true, isStale: false }, page);
}

/**
 * Adds the next page. Events that arrived while it was read must be applied again: the page may be older than they are.
 */
export function addFeedPage<Item extends FeedItem>(
  list: FeedList<Item>,
  { edges, pageInfo }: FeedPage<Item>,
): FeedList<Item> {
  const oldest = edges.at(-1)?.node;
  return {
    ...list,
    items: edges.reduce((items, { node }) => place(items, node), list.items),
    hasMore: pageInfo.hasNextPage,
    pageCursor: pageInfo.endCursor ?? list.pageCursor,
    oldest: oldest ? { id: oldest.id, createdAt: oldest.createdAt } : list.oldest,
  };
}

/** Applies one event. It may be applied again. An item that does not change keeps its identity. */
export function applyFeedEvent<Item extends FeedItem>(
  list: FeedList<Item>,
  event: FeedEvent<Item>,
): FeedList<Item> {
  const { cursor } = event;
  if (event.__typename === 'FeedReset') return { ...list, cursor, isStale: true };
  const { items } = list;
  if (event.__typename === 'GenerationDeleted' || !event.matchesFilter)
    return { ...list, cursor, items: without(items, event.generationId) };
  const { generation } = event;
  const isBeyond = list.hasMore && list.oldest !== null && isBefore(list.oldest, generation);
  return { ...list, cursor, items: isBeyond ? items : place(items, generation) };
}

/** Whether an item stands before another one in a list with the newest first. */
export function isBefore(item: FeedItem, other: FeedItem): boolean {
  return item.createdAt === other.createdAt ? item.id > other.id : item.createdAt > other.createdAt;
}

function place<Item extends FeedItem>(items: readonly Item[], item: Item): readonly Item[] {
  let low = 0;
  for (let high = items.length; low < high;) {
    const middle = (low + high) >>> 1;
    const other = items[middle];
    if (other && isBefore(other, item)) low = middle + 1;
    else high = middle;
  }
  const known = items[low];
  const isKnown = known?.id === item.id;
  if (isKnown && keepSame(known, item) === known) return items;
  return [...items.slice(0, low), item, ...items.slice(isKnown ? low + 1 : low)];
}

/** The known item if the other one has the same content, so that it keeps its identity. */
export function keepSame<Item>(known: Item | undefined, item: Item): Item {
  return known && JSON.stringify(known) === JSON.stringify(item) ? known : item;
}

function without<Item extends FeedItem>(items: readonly Item[], id: string): readonly Item[] {
  return items.some((item) => item.id === id) ? items.filter((item) => item.id !== id) : items;
}

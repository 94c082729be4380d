import { type Exchange, gql, subscriptionExchange } from '@urql/core';
import {
  type Cache,
  cacheExchange,
  type CacheExchangeOpts,
  type FieldInfo,
  type KeyingConfig,
} from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { introspection } from '../cache-schema.generated.ts';
import {
  type AppliedEvent,
  belongsTo,
  type ChangeEvent,
  isFromEnd,
  type ListArguments,
  type ListedEvent,
  placeOf,
} from '../feed-places.ts';
import { type Connected, resumeFeeds } from '../resume-feeds.ts';

export type { Connected };

/**
 * The exchanges of a urql client whose operations all use one connection that lives. There, a mutation that a lost connection
 * repeats is the same generation, also without an idempotency key.
 */
export function urqlExchanges(connected: Connected, options: Partial<CacheExchangeOpts> = {}): Exchange[] {
  return [cacheExchange({ ...graphcacheOptions, ...options }), connectionExchange(connected)];
}

/** Sends queries, mutations and subscriptions over the connection. */
export function connectionExchange({ client }: Connected): Exchange {
  const connection = resumeFeeds(client);
  return subscriptionExchange({
    enableAllOperations: true,
    forwardSubscription: ({ query = '', ...request }) => ({
      subscribe: ({ next, ...sink }) => ({
        unsubscribe: connection.subscribe(
          { ...request, query },
          { ...sink, next: ({ data = null, errors }) => next({ data, ...(errors && { errors }) }) },
        ),
      }),
    }),
  });
}

const nodeTypes: ReadonlySet<string> = new Set(
  introspection.__schema.types.flatMap(({ name, interfaces = [] }) =>
    interfaces.some((each) => each.name === 'Node') ? [name] : [],
  ),
);

/** Types without an id of their own. The id of a tool call is the model's, and unique in one message only. */
export const keys: KeyingConfig = {
  ...Object.fromEntries(
    introspection.__schema.types.flatMap(({ kind, name }) =>
      kind === 'OBJECT' && !nodeTypes.has(name) ? [[name, () => null]] : [],
    ),
  ),
  // A feed adds edges that no page has.
  GenerationEdge: ({ cursor, node }) =>
    textOf(cursor) || (typeof node === 'object' && node && 'id' in node ? (textOf(node.id) ?? null) : null),
};

const pages = relayPagination();

/**
 * The pages of a list as one, from its start or from its end. `relayPagination` would join both, and passes over a page that was
 * read without arguments.
 */
const listPages: typeof pages = (parent, own, cache, info) => {
  const inspectFields = (key: string): FieldInfo[] =>
    cache
      .inspectFields(key)
      .map((field) => ({ ...field, arguments: field.arguments ?? {} }))
      .filter((field) => isFromEnd(field.arguments) === isFromEnd(own));
  // With the methods of the cache.
  const listed = Object.create(cache, { inspectFields: { value: inspectFields } }) as Cache;
  return pages(parent, own, listed, info);
};

/** The options of `cacheExchange`. A subscription to `generationChanged` keeps the lists of `generations` true. */
export const graphcacheOptions: CacheExchangeOpts = {
  schema: introspection,
  keys,
  resolvers: {
    Query: { generations: listPages, voices: listPages, accessTokens: listPages },
    Generation: { continuations: listPages },
  },
  updates: {
    Subscription: {
      generationChanged: ({ generationChanged }, _arguments, cache) =>
        applyFeedEvent(cache, generationChanged as ListedEvent),
    },
  },
};

const edgeFragment = gql`
  fragment FeedEdge on GenerationEdge {
    cursor
    node {
      id
    }
  }
`;

/**
 * Applies an event of `generationChanged` to every list of `generations` in the cache: a new generation appears in the lists
 * whose filter it matches, and leaves those that it no longer matches. The subscription itself writes what has changed in a
 * generation. After a `FeedReset`, the lists on the page are read again.
 */
export function applyFeedEvent(cache: Cache, event: ListedEvent): void {
  if (event.__typename === 'FeedReset') {
    for (const { fieldKey } of listFields(cache)) cache.invalidate('Query', fieldKey);
    return;
  }
  const pages = listFields(cache).flatMap((field) => readPage(cache, field));
  const counted: ListArguments[] = [];
  for (const page of pages) {
    const change = applyToPage(page, { cache, event, pages });
    // Lists that differ only in their page size have the generation too, and one total.
    if (change === 0 || counted.some((list) => isSameList(list, page.list))) continue;
    counted.push(page.list);
    changeTotal(page, change, { cache, pages });
  }
  if (event.__typename === 'GenerationDeleted')
    cache.invalidate({ __typename: 'Generation', id: event.generationId });
}

interface Page {
  readonly list: ListArguments & { readonly after?: string | null; readonly before?: string | null };
  /** Key of the connection. */
  readonly key: string;
  /** Keys of its edges. */
  readonly edges: readonly string[];
}

interface CachedLists {
  readonly cache: Cache;
  readonly pages: readonly Page[];
}

interface Applying<Event = AppliedEvent> extends CachedLists {
  readonly event: Event;
}

/** @returns how many generations the list has more */
function applyToPage(page: Page, { cache, event, pages }: Applying): number {
  if (event.__typename === 'GenerationChanged' && belongsTo(page.list, event))
    return !page.list.after && !page.list.before && addTo(page, { cache, event, pages }) ? 1 : 0;
  const others = page.edges.filter((edge) => idOf(cache, edge) !== event.generationId);
  if (others.length === page.edges.length) return 0;
  cache.link(page.key, 'edges', others);
  return -1;
}

const totalText = gql`
  query ListTotal(
    $first: Int
    $last: Int
    $after: String
    $before: String
    $filter: GenerationFilter
    $orderBy: GenerationOrder
  ) {
    generations(
      first: $first
      last: $last
      after: $after
      before: $before
      filter: $filter
      orderBy: $orderBy
    ) {
      totalCount
    }
  }
`;

/** Each page of a list has its total. */
function changeTotal({ list }: Page, change: number, { cache, pages }: CachedLists): void {
  for (const page of pages)
    if (isSameList(page.list, list))
      cache.updateQuery<TotalData, Page['list']>({ query: totalText, variables: page.list }, (data) => {
        const { generations } = data ?? {};
        return generations
          ? { ...data, generations: { ...generations, totalCount: generations.totalCount + change } }
          : data;
      });
}

interface TotalData {
  readonly generations?: { readonly totalCount: number } | null;
}

function isSameList(list: ListArguments, other: ListArguments): boolean {
  const keyOf = (each: ListArguments) => JSON.stringify([each.filter, each.orderBy, isFromEnd(each)]);
  return keyOf(list) === keyOf(other);
}

/**
 * Adds the generation to the first page, or to the one of the following that it belongs to, unless it is on one.
 * @returns whether it was added
 */
function addTo(page: Page, { cache, event, pages }: Applying<ChangeEvent>): boolean {
  const { generation } = event;
  const items = page.edges.map((edge) => ({
    id: idOf(cache, edge),
    createdAt: textOf(cache.resolve(nodeOf(cache, edge), 'createdAt')) ?? '',
  }));
  if (items.some(({ id }) => id === generation.id)) return false;
  const place = placeOf(page.list, items, generation);
  const pageInfo = textOf(cache.resolve(page.key, 'pageInfo'));
  if (place === items.length && cache.resolve(pageInfo, 'hasNextPage') === true) {
    const end = cache.resolve(pageInfo, 'endCursor');
    const next = pages.find(({ list }) => list.after === end && isSameList(list, page.list));
    return next !== undefined && addTo(next, { cache, event, pages });
  }
  const isFirst = place === 0 && items.length > 0 && !page.list.after;
  if (isFirst && cache.resolve(pageInfo, 'hasPreviousPage') === true) return false;
  const edge = {
    __typename: 'GenerationEdge',
    cursor: '',
    node: { __typename: 'Generation', id: generation.id },
  };
  cache.writeFragment(edgeFragment, edge);
  cache.link(page.key, 'edges', [
    ...page.edges.slice(0, place),
    `GenerationEdge:${generation.id}`,
    ...page.edges.slice(place),
  ]);
  return true;
}

function listFields(cache: Cache): readonly FieldInfo[] {
  return cache.inspectFields('Query').filter(({ fieldName }) => fieldName === 'generations');
}

function readPage(cache: Cache, field: FieldInfo): readonly Page[] {
  const key = textOf(cache.resolve('Query', field.fieldKey));
  const edges = cache.resolve(key, 'edges');
  if (key === undefined || !Array.isArray(edges)) return [];
  // As `generations` of an operation was written.
  return [{ list: field.arguments ?? {}, key, edges: edges.filter((edge) => typeof edge === 'string') }];
}

function nodeOf(cache: Cache, edge: string): string | undefined {
  return textOf(cache.resolve(edge, 'node'));
}

function idOf(cache: Cache, edge: string): string {
  return textOf(cache.resolve(nodeOf(cache, edge), 'id')) ?? '';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

import {
  type ApolloCache,
  type ApolloClient,
  type FieldMergeFunction,
  type FieldPolicy,
  InMemoryCache,
  type InMemoryCacheConfig,
  type Reference,
  type TypePolicies,
} from '@apollo/client';
import type { ModifierDetails } from '@apollo/client/cache';
import type { ApolloLink } from '@apollo/client/link';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { possibleTypes } from '../cache-schema.generated.ts';
import {
  type AppliedEvent,
  belongsTo,
  isFromEnd,
  type ListArguments,
  type ListedEvent,
  placeOf,
} from '../feed-places.ts';
import { type Connected, resumeFeeds } from '../resume-feeds.ts';

export { type ApolloHttpOptions, createApolloHttpLink } from './http-link.ts';
export { type Connected, possibleTypes };

/**
 * The options of an `ApolloClient` whose operations all use one connection that lives. There, a mutation that a lost
 * connection repeats is the same generation, also without an idempotency key.
 */
export function apolloOptions(
  connected: Connected,
  cacheConfig: InMemoryCacheConfig = {},
): ApolloClient.Options {
  return {
    link: createApolloLink(connected),
    cache: createApolloCache(cacheConfig),
    // The second of two equal subscriptions would miss the first event, which has the whole state.
    queryDeduplication: false,
  };
}

/** Sends queries, mutations and subscriptions over the connection. */
export function createApolloLink({ client }: Connected): ApolloLink {
  return new GraphQLWsLink(resumeFeeds(client));
}

export function createApolloCache({ typePolicies: own, ...config }: InMemoryCacheConfig = {}): InMemoryCache {
  return new InMemoryCache({ possibleTypes, typePolicies: { ...typePolicies, ...own }, ...config });
}

type Merge = FieldMergeFunction<Reference, Reference>;

/** Merges what two documents selected of an object without id, unless one of these fields shows that it is another object. */
function mergeSame(...fields: readonly string[]): Merge {
  return (existing, incoming, { mergeObjects, readField }) => {
    if (!existing || !incoming) return incoming;
    const isSame = fields.every((field) => {
      const [old, value] = [readField(field, existing), readField(field, incoming)];
      return old === undefined || value === undefined || old === value;
    });
    return isSame ? mergeObjects(existing, incoming) : incoming;
  };
}

const mergeFile = mergeSame('kind', 'role', 'index', 'url');

const pages: FieldPolicy = relayStylePagination();

export const typePolicies: TypePolicies = {
  Query: {
    fields: {
      generations: {
        ...pages,
        keyArgs: (list) => ['filter', 'orderBy', ...(isFromEnd(list) ? ['last'] : [])],
        merge(existing, incoming, options) {
          const merged: unknown =
            typeof pages.merge === 'function' ? pages.merge(existing, incoming, options) : incoming;
          // A feed that continues the list begins where its first page was read.
          const isNext = existing && (options.args?.['after'] || options.args?.['before']);
          return isNext && typeof merged === 'object'
            ? { ...merged, feedCursor: existing.feedCursor }
            : merged;
        },
      },
      voices: relayStylePagination(['filter']),
      accessTokens: relayStylePagination(),
    },
  },
  Generation: {
    fields: {
      continuations: relayStylePagination(),
      assets: {
        merge: (existing: readonly Reference[] = [], incoming: readonly Reference[], options) =>
          existing.length === incoming.length
            ? incoming.map((file, index) => mergeFile(existing[index], file, options))
            : incoming,
      },
    },
  },
  // Without an id: two documents may select different fields of the same object.
  Viewer: { merge: true },
  GenerationMetrics: { merge: true },
  GenerationUsage: { merge: true },
  GenerationFailure: { merge: mergeSame('code', 'message') },
  // The next event replaces the last one.
  FeedEvent: { merge: false },
  ChatEvent: { merge: false },
  ImageEvent: { merge: false },
  // Their ids are the model's, and unique in one message only.
  ToolCall: { keyFields: false },
  ToolCallDelta: { keyFields: false },
  SkippedGeneration: { keyFields: false },
};

interface StoredList {
  readonly edges: readonly StoredEdge[];
  readonly pageInfo?: { readonly hasNextPage?: boolean; readonly hasPreviousPage?: boolean };
  readonly totalCount?: number;
}

interface StoredEdge {
  readonly __typename: 'GenerationEdge';
  readonly cursor: string;
  readonly node: Reference;
}

/**
 * Applies an event of `generationChanged` to every list of `generations` in the cache: a new generation appears in the lists
 * whose filter it matches, and leaves those that it no longer matches. The subscription itself writes what has changed in a
 * generation. After a `FeedReset`, the lists on the page are read again.
 */
export function applyFeedEvent(cache: ApolloCache, event: ListedEvent): void {
  if (event.__typename === 'FeedReset') cache.evict({ id: 'ROOT_QUERY', fieldName: 'generations' });
  else {
    cache.modify<{ generations: StoredList }>({
      fields: {
        // As `generations` of the operations was written.
        generations: (list, details) => (list && 'edges' in list ? applyToList(list, event, details) : list),
      },
    });
    const id = cache.identify({ __typename: 'Generation', id: event.generationId });
    if (id !== undefined && event.__typename === 'GenerationDeleted') cache.evict({ id });
  }
  cache.gc();
}

function applyToList(
  list: StoredList,
  event: AppliedEvent,
  { storeFieldName, readField, toReference }: ModifierDetails,
): StoredList {
  const { totalCount } = list;
  const withEdges = (edges: readonly StoredEdge[]): StoredList => ({
    ...list,
    edges,
    ...(totalCount !== undefined && { totalCount: totalCount + edges.length - list.edges.length }),
  });
  const index = list.edges.findIndex(({ node }) => readField('id', node) === event.generationId);
  const listArguments = readArguments(storeFieldName);
  if (event.__typename === 'GenerationDeleted' || !belongsTo(listArguments, event))
    return index === -1 ? list : withEdges(list.edges.filter((_edge, other) => other !== index));
  const node = toReference({ __typename: 'Generation', id: event.generationId });
  if (index !== -1 || !node) return list;
  const items = list.edges.map((edge) => ({
    id: String(readField('id', edge.node)),
    createdAt: String(readField('createdAt', edge.node) ?? ''),
  }));
  const place = placeOf(listArguments, items, event.generation);
  // It belongs to a page that has not been read.
  if (place === items.length && list.pageInfo?.hasNextPage) return list;
  if (place === 0 && items.length > 0 && list.pageInfo?.hasPreviousPage) return list;
  const edge = { __typename: 'GenerationEdge', cursor: '', node } as const;
  return withEdges([...list.edges.slice(0, place), edge, ...list.edges.slice(place)]);
}

/** The name of a field in the store ends with its arguments. */
function readArguments(storeFieldName: string): ListArguments {
  const [text] = /\{.*\}/s.exec(storeFieldName) ?? [];
  return text === undefined ? {} : (JSON.parse(text) as ListArguments); // Written by the cache.
}

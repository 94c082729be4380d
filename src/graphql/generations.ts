import type { Engine } from '../generations/engine.ts';
import type { GenerationSummary } from '../store/records.ts';
import type { GenerationFilter } from '../store/generation-filter.ts';
import { RequestError } from '../errors.ts';
import { maxLabelChars } from '../generations/label-issues.ts';
import { isLongerThan } from '../lib/text.ts';
import { once } from '../lib/once.ts';
import { packFeedCursor } from './feed-cursor.ts';
import type { Graph } from './graph.ts';
import {
  checkPageSize,
  type Connection,
  connectionType,
  defaultPageSize,
  maxCount,
  packPosition,
  toCount,
  unpackPosition,
} from './connection.ts';
import { type Context, requireCaller } from './context.ts';
import { generationKindEnum, taskStatusEnum } from './generation.ts';
import {
  generationOrderInput,
  newestFirst,
  type OptionalOrder,
  toOrder,
  toStorePage,
} from './generation-order.ts';
import { readListedTasks } from './read-tasks-first.ts';
import { generationRef } from './refs.ts';
import { asksFor } from './selection.ts';
import { shared } from './shared-descriptions.ts';

/** Each model is a separate index lookup. */
export const maxModels = 100;

export function generationFilterInput({ builder, use }: Graph) {
  return builder.inputType('GenerationFilter', {
    description: 'Matches every given field, and any value of a list.',
    fields: (t) => ({
      kinds: t.field({ type: [use(generationKindEnum)] }),
      statuses: t.field({ type: [use(taskStatusEnum)] }),
      models: t.stringList({ description: `Any of these models as sent, at most ${maxModels}.` }),
      collection: t.id({ description: shared.collection }),
      createdAfter: t.field({ type: 'DateTime', description: 'Created after.' }),
      createdBefore: t.field({ type: 'DateTime', description: 'Created before.' }),
      onlyFirstTurns: t.boolean({
        description: 'Only chats that continue no other. Not with `statuses` or `models`.',
      }),
    }),
  });
}

interface GenerationList extends Connection<GenerationSummary> {
  /** Empty unless it is selected. */
  readonly feedCursor: string;
}

function generationConnectionRef(graph: Graph) {
  const node = graph.use(generationRef);
  const list = connectionType<GenerationSummary, GenerationList>(graph, 'Generation', node, 'generations');
  graph.builder.objectField(list, 'feedCursor', (t) =>
    t.exposeString('feedCursor', {
      description: 'Of the first page: `after` of `generationChanged` continues this list.',
    }),
  );
  return list;
}

export function addGenerations({ builder, use }: Graph): void {
  builder.queryField('generations', (t) =>
    t.field({
      type: use(generationConnectionRef),
      nullable: true,
      description:
        "The caller's generations, by default newest first. Excludes creates in flight or refused.",
      args: {
        first: t.arg.int({
          defaultValue: defaultPageSize,
          description: 'Items from the start, at most 100. Ignored with `last`.',
        }),
        after: t.arg.string({ description: 'Only items after this cursor.' }),
        last: t.arg.int({ description: 'Items from the end, at most 100.' }),
        before: t.arg.string({ description: 'Only items before this cursor.' }),
        filter: t.arg({ type: use(generationFilterInput) }),
        orderBy: t.arg({
          type: use(generationOrderInput),
          defaultValue: newestFirst,
        }),
      },
      resolve: (_root, { filter, ...page }, context, info) => {
        const selectsCursor = asksFor(info, 'GenerationConnection', 'feedCursor');
        const list = listGenerations(context, toFilter(filter, context.engine), { ...page, selectsCursor });
        return readListedTasks(list, context, info);
      },
    }),
  );
}

interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  readonly orderBy?: OptionalOrder | null | undefined;
  readonly selectsCursor: boolean;
}

async function listGenerations(
  context: Context,
  filter: GenerationFilter,
  page: PageArguments,
): Promise<GenerationList> {
  const { owner } = requireCaller(context);
  const isBackward = page.last !== null && page.last !== undefined;
  const limit = isBackward
    ? checkPageSize('last', page.last ?? 0)
    : checkPageSize('first', page.first ?? defaultPageSize);
  const order = toOrder(page.orderBy);
  const list = `generations ${order.field} ${order.direction}`;
  const after = unpackPosition(list, page.after, 'after');
  const before = unpackPosition(list, page.before, 'before');
  // One extra item shows whether another page exists.
  const request = toStorePage<GenerationSummary>(
    { limit: limit + 1, after, before, fromEnd: isBackward },
    order,
  );
  const { store } = context.engine;
  await context.loaders.waited();
  // Before the list: a change in between is in the feed too.
  const position = page.selectsCursor ? await store.findLastChange(owner) : undefined;
  const found = request.arrange(await store.listGenerations(owner, filter, request.page));
  const hasMore = found.length > limit;
  const generations = isBackward ? found.slice(hasMore ? 1 : 0) : found.slice(0, limit);
  const edges = generations.map((node) => ({ cursor: packPosition(list, node), node }));
  return {
    edges,
    feedCursor: position ? packFeedCursor(position) : '',
    pageInfo: {
      // A cursor names an item that is not on the page.
      hasNextPage: before !== undefined || (!isBackward && hasMore),
      hasPreviousPage: after !== undefined || (isBackward && hasMore),
    },
    count: once(async () => toCount(await store.countGenerations(owner, filter, maxCount + 1))),
  };
}

type ClientFilter = Omit<GenerationFilter, 'canRead'>;
type FilterInput = { readonly [Key in keyof ClientFilter]: ClientFilter[Key] | null };

/** @throws RequestError LIMIT_EXCEEDED or BAD_REQUEST */
export function toFilter(
  input: FilterInput | null | undefined,
  { tasks }: Pick<Engine, 'tasks'>,
): GenerationFilter {
  const filter = { ...withoutNulls(input ?? {}), canRead: tasks.canRead };
  checkFilter(filter);
  // There is no index for it.
  if (filter.onlyFirstTurns && (filter.statuses ?? filter.models))
    throw new RequestError(
      'BAD_REQUEST',
      'filter.onlyFirstTurns cannot be combined with filter.statuses or filter.models.',
    );
  return filter;
}

/** @throws RequestError LIMIT_EXCEEDED */
export function checkFilter({
  models = [],
  collection = '',
}: Pick<GenerationFilter, 'models' | 'collection'>): void {
  if (models.length > maxModels)
    throw new RequestError(
      'LIMIT_EXCEEDED',
      `filter.models takes at most ${maxModels} models, received ${models.length}.`,
    );
  // Nothing has a longer one, and a read of the records would compare it.
  if ([collection, ...models].some((value) => isLongerThan(value, maxLabelChars)))
    throw new RequestError(
      'LIMIT_EXCEEDED',
      `filter.collection and filter.models take values of at most ${maxLabelChars} characters.`,
    );
}

type WithoutNulls<T> = { [Key in keyof T]: Exclude<T[Key], null> };

export function withoutNulls<T extends object>(input: T): WithoutNulls<T>;
export function withoutNulls(input: object): object {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

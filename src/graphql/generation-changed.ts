import type { FeedOptions, GenerationChange } from '../generations/generation-feeds.ts';
import { type ChangePosition, keptChanges, keptDays } from '../store/changes.ts';
import type { GenerationSummary, LazyGeneration } from '../store/records.ts';
import { type GenerationFilter, isMatch } from '../store/generation-filter.ts';
import { packFeedCursor, unpackFeedCursor } from './feed-cursor.ts';
import type { Graph } from './graph.ts';
import { type Context, requireCaller } from './context.ts';
import { generationFilterInput, toFilter } from './generations.ts';
import { showGeneration } from './read-tasks-first.ts';
import { generationRef } from './refs.ts';
import { shared } from './shared-descriptions.ts';

interface ChangedGeneration extends GenerationChange {
  readonly typeName: 'GenerationChanged';
  readonly generation: LazyGeneration;
  readonly matches: (generation: GenerationSummary) => boolean;
}
interface RemovedGeneration extends GenerationChange {
  readonly typeName: 'GenerationDeleted';
}
interface Reset {
  readonly typeName: 'FeedReset';
  readonly position: ChangePosition;
}
type FeedEvent = ChangedGeneration | RemovedGeneration | Reset;

function feedEventRef({ builder }: Graph) {
  return builder.interfaceRef<FeedEvent>('FeedEvent').implement({
    description: 'An event of `generationChanged`. Safe to apply twice.',
    fields: (t) => ({
      cursor: t.string({
        description: 'Position in the feed, for `after`.',
        resolve: ({ position }) => packFeedCursor(position),
      }),
    }),
    resolveType: ({ typeName }) => typeName,
  });
}

function addEventTypes({ builder, use }: Graph): void {
  const interfaces = [use(feedEventRef)];
  builder.objectRef<ChangedGeneration>('GenerationChanged').implement({
    description: 'A generation was created or changed.',
    interfaces,
    fields: (t) => ({
      // Not named `id`: normalized caches would take the event for the generation.
      generationId: t.exposeID('id', { description: shared.generationId }),
      generation: t.expose('generation', {
        type: use(generationRef),
        description: 'The generation after the change.',
      }),
      matchesFilter: t.boolean({
        description: 'False: the status is not in `filter.statuses`; remove it from a list with this filter.',
        resolve: ({ generation, matches }) => matches(generation),
      }),
    }),
  });
  builder.objectRef<RemovedGeneration>('GenerationDeleted').implement({
    description: 'Deleted by `deleteGenerations`, by its age, or at a limit of its owner.',
    interfaces,
    fields: (t) => ({ generationId: t.exposeID('id', { description: shared.generationId }) }),
  });
  builder.objectRef<Reset>('FeedReset').implement({
    description: 'Changes are missing. Read the list again, then apply the events that follow.',
    interfaces,
  });
}

export function addGenerationChanged(graph: Graph): void {
  const { builder, use } = graph;
  addEventTypes(graph);
  builder.subscriptionField('generationChanged', (t) =>
    t.field({
      type: use(feedEventRef),
      description:
        "Every accepted create, change and deletion of the caller's generations. Slow clients get only the last change of each. Never completes.",
      args: {
        after: t.arg.string({
          description: `First sends the last change of each generation since this cursor of an event, or \`feedCursor\` of a first page. Default: only new changes. More than ${keptChanges} changes or ${keptDays} days behind: \`FeedReset\`.`,
        }),
        filter: t.arg({
          type: use(generationFilterInput),
          description:
            'Default: all. `statuses` excludes no event, but sets `matchesFilter`. Deletions are sent for every filter.',
        }),
      },
      async subscribe(_root, { after, filter }, context) {
        const { owner } = requireCaller(context);
        const { generationFeeds } = context.engine;
        const wanted = toFilter(filter, context.engine);
        const position = unpackFeedCursor(after) ?? (await generationFeeds.findLast(owner));
        return generationFeeds.watch<FeedEvent>({
          owner,
          after: position,
          key: keyOf(filter),
          ...toEvents(wanted),
        });
      },
      resolve: (event: FeedEvent, _args, context, info) =>
        event.typeName === 'GenerationChanged' &&
        context.loaders.taskSelections.readsBelow(info, changedGeneration)
          ? readEvent(event, context)
          : event,
    }),
  );
}

const changedGeneration = [{ typeName: 'GenerationChanged', field: 'generation' }] as const;

/**
 * The event with the generation as of the read of its task, which `matchesFilter` refers to as well. If a read caused the event,
 * its record shows that read: another one would cause the next event.
 */
async function readEvent(
  event: ChangedGeneration,
  { loaders, engine }: Pick<Context, 'loaders' | 'engine'>,
): Promise<FeedEvent> {
  const { taskId } = event.generation;
  const recorded = taskId === undefined ? undefined : await loaders.taskRecord.load(taskId);
  if (recorded && engine.poller.isFresh(recorded)) loaders.task.prime(recorded);
  return { ...event, generation: await showGeneration(event.generation, loaders, { readsTask: true }) };
}

function toEvents(filter: GenerationFilter): Pick<FeedOptions<FeedEvent>, 'toEvent' | 'toReset'> {
  const isWanted = (generation: GenerationSummary) => isMatch(generation, { ...filter, statuses: undefined });
  const matches = (generation: GenerationSummary) => isMatch(generation, filter);
  return {
    toEvent(change) {
      const { generation } = change;
      if (!generation) return { ...change, typeName: 'GenerationDeleted' };
      return isWanted(generation)
        ? { ...change, typeName: 'GenerationChanged', generation, matches }
        : undefined;
    },
    toReset: (position) => ({ typeName: 'FeedReset', position }),
  };
}

/** A subscription holds its key, so long ones have none. */
const maxKeyChars = 1000;

function keyOf(filter: unknown): string | undefined {
  const key = JSON.stringify(filter ?? null);
  return key.length <= maxKeyChars ? key : undefined;
}

import type { GenerationChange } from '../generations/watch-generations.ts';
import type { GenerationSummary, LazyGeneration } from '../store/records.ts';
import { type GenerationFilter, isMatch } from '../store/store.ts';
import type { Graph } from './graph.ts';
import { requireCaller } from './context.ts';
import { generationFilterInput, toFilter } from './generations.ts';
import type { Loaders } from './loaders.ts';
import { showGeneration } from './read-tasks-first.ts';
import { generationRef } from './refs.ts';

interface ChangedGeneration extends GenerationChange {
  readonly generation: LazyGeneration;
  readonly matches: (generation: GenerationSummary) => boolean;
}
interface RemovedGeneration extends GenerationChange {
  readonly generation: undefined;
}
type FeedEvent = ChangedGeneration | RemovedGeneration;

/** The id is not named `id`: normalized caches would take the event for the generation. */
function generationChangeRef({ builder }: Graph) {
  return builder.interfaceRef<FeedEvent>('GenerationChange').implement({
    description: "A change of the caller's generations.",
    fields: (t) => ({ generationId: t.exposeID('id', { description: 'Generation id.' }) }),
    resolveType: ({ generation }) => (generation ? 'GenerationChanged' : 'GenerationRemoved'),
  });
}

function addChangeTypes({ builder, use }: Graph): void {
  builder.objectRef<ChangedGeneration>('GenerationChanged').implement({
    description: 'A generation was created or changed.',
    interfaces: [use(generationChangeRef)],
    fields: (t) => ({
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
  builder.objectRef<RemovedGeneration>('GenerationRemoved').implement({
    description: 'Deleted by `forgetGenerations`, by its age, or at a limit of its owner.',
    interfaces: [use(generationChangeRef)],
  });
}

export function addGenerationChanged(graph: Graph): void {
  const { builder, use } = graph;
  addChangeTypes(graph);
  builder.subscriptionField('generationChanged', (t) =>
    t.field({
      type: use(generationChangeRef),
      description:
        "Every create, change and deletion of the caller's generations. Slow clients get only the last change of each generation. Never completes.",
      args: {
        filter: t.arg({
          type: use(generationFilterInput),
          description:
            'Default: all. `statuses` excludes no event, but sets `matchesFilter`. Deletions are sent for every filter.',
        }),
      },
      subscribe(_root, { filter }, context) {
        const { owner } = requireCaller(context);
        const { generationFeeds } = context.engine;
        const wanted = toFilter(filter, context.engine);
        const isWanted = ({ generation }: GenerationChange) =>
          !generation || isMatch(generation, { ...wanted, statuses: undefined });
        return generationFeeds.watch<FeedEvent>({
          owner,
          key: keyOf(filter),
          toEvent: (change) => (isWanted(change) ? toFeedEvent(change, wanted) : undefined),
        });
      },
      resolve: (event: FeedEvent, _args, { loaders }, info) =>
        event.generation && loaders.taskSelections.readsBelow(info, changedGeneration)
          ? readEvent(event, loaders)
          : event,
    }),
  );
}

const changedGeneration = [{ typeName: 'GenerationChanged', field: 'generation' }] as const;

/** The event with the generation as of the read of its task, which `matchesFilter` refers to as well. */
async function readEvent(event: ChangedGeneration, loaders: Loaders): Promise<FeedEvent> {
  return { ...event, generation: await showGeneration(event.generation, loaders, { readsTask: true }) };
}

function toFeedEvent({ id, generation }: GenerationChange, filter: GenerationFilter): FeedEvent {
  if (!generation) return { id, generation };
  return { id, generation, matches: (shown) => isMatch(shown, filter) };
}

/** A subscription holds its key, so long ones have none. */
const maxKeyChars = 1000;

function keyOf(filter: unknown): string | undefined {
  const key = JSON.stringify(filter ?? null);
  return key.length <= maxKeyChars ? key : undefined;
}

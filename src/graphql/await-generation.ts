import { awaitGeneration, maxAwaitSeconds } from '../generations/await-generation.ts';
import { watchGenerations } from '../generations/watch-generations.ts';
import type { Generation } from '../store/records.ts';
import { isMatch } from '../store/store.ts';
import type { Graph } from './graph.ts';
import { requireCaller, toOperation } from './context.ts';
import { generationFilterInput, withoutNulls } from './generations.ts';
import { generationRef } from './refs.ts';

export function addAwaitGeneration({ builder, use }: Graph): void {
  builder.queryField('awaitGeneration', (t) =>
    t.field({
      type: use(generationRef),
      nullable: true,
      description:
        'A generation once it is terminal, or as it is when the time is up: for clients without sockets. Its task is asked for meanwhile. Null when there is none of this caller.',
      args: {
        id: t.arg.id({ required: true, description: "The generation's id." }),
        timeoutSeconds: t.arg.int({
          defaultValue: 30,
          description: `How long to wait, in seconds: 0 to ${maxAwaitSeconds}.`,
        }),
      },
      resolve: (_root, { id, timeoutSeconds }, context) =>
        awaitGeneration(id, timeoutSeconds ?? 30, toOperation(context)),
    }),
  );

  builder.subscriptionField('generationChanged', (t) =>
    t.field({
      type: use(generationRef),
      description:
        "The caller's live feed: each generation when it is made and whenever it changes, in other tabs and devices too. Changes that wait for a slow reader become one. Never completes by itself.",
      args: {
        filter: t.arg({
          type: use(generationFilterInput),
          description: 'Which ones: each is judged as it is after the change. All when absent.',
        }),
      },
      subscribe(_root, { filter }, context) {
        const { owner } = requireCaller(context);
        const { store, bus } = context.engine;
        const wanted = withoutNulls(filter ?? {});
        return watchGenerations({ store, bus, owner, isWanted: (generation) => isMatch(generation, wanted) });
      },
      resolve: (generation: Generation) => generation,
    }),
  );
}

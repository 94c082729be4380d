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
        'Waits until a generation is terminal or the timeout elapses, then returns it. Reads its task from the gateway meanwhile. Null if the caller has no such generation.',
      args: {
        id: t.arg.id({ required: true, description: 'Generation id.' }),
        timeoutSeconds: t.arg.int({
          defaultValue: 30,
          description: `Timeout in seconds, 0 to ${maxAwaitSeconds}.`,
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
        "Sends each of the caller's generations when it is created and whenever it changes. Changes are coalesced for slow clients. Never completes.",
      args: {
        filter: t.arg({
          type: use(generationFilterInput),
          description: 'Matched against the generation after the change. Default: all.',
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

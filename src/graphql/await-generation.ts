import { awaitGeneration, maxAwaitSeconds } from '../generations/await-generation.ts';
import type { GenerationSummary } from '../store/records.ts';
import type { Graph } from './graph.ts';
import { toOperation } from './context.ts';
import { findSelected, generationSelector } from './generation-selector.ts';
import { generationRef } from './refs.ts';

export function addAwaitGeneration({ builder, use }: Graph): void {
  builder.queryField('awaitGeneration', (t) =>
    t.field({
      type: use(generationRef),
      nullable: true,
      description: 'Waits until a generation ends, or a timeout or restart. Null if unknown.',
      args: {
        by: t.arg({ type: use(generationSelector), required: true }),
        timeoutSeconds: t.arg.int({
          defaultValue: 30,
          description: `Timeout in seconds, 0 to ${maxAwaitSeconds}.`,
        }),
      },
      resolve: (_root, { by, timeoutSeconds }, context) => {
        const { loaders } = context;
        const waited = async (): Promise<GenerationSummary | null> => {
          const selected = await findSelected(by, context);
          const generation = await awaitGeneration(selected?.id, timeoutSeconds ?? 30, toOperation(context));
          // Sibling fields show the state after the wait too. Lists, counts and sums are read after it.
          if (generation) loaders.forget(generation);
          return generation;
        };
        return loaders.task.track(loaders.wait(waited));
      },
    }),
  );
}

import { awaitGeneration, maxAwaitSeconds } from '../generations/await-generation.ts';
import type { Graph } from './graph.ts';
import { toOperation } from './context.ts';
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
}

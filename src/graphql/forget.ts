import type { Graph } from './graph.ts';
import { type Context, requireCaller } from './context.ts';
import { assertIdCount, maxIds } from './node.ts';

export function addForgetGenerations({ builder }: Graph): void {
  builder.mutationField('forgetGenerations', (t) =>
    t.field({
      type: ['ID'],
      description:
        'Removes records of the caller for good: generations, with their tasks, outputs and idempotency keys, which are free again then. Nothing at the gateway is stopped, deleted or paid back: work that goes on there is only lost sight of. Returns the ids that were removed; unknown ones are left out, and so is a chat that still runs: cancel it first.',
      args: {
        ids: t.arg.idList({ required: true, description: `Ids of generations, at most ${maxIds}.` }),
      },
      resolve: (_root, { ids }, context) => forgetGenerations(ids, context),
    }),
  );
}

async function forgetGenerations(ids: readonly string[], context: Context): Promise<string[]> {
  const { owner } = requireCaller(context);
  assertIdCount(ids);
  const { store, streams } = context.engine;
  const forgotten = await store.forgetGenerations(owner, ids);
  for (const id of forgotten) streams.forget(id);
  return [...forgotten];
}

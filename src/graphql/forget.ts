import type { Graph } from './graph.ts';
import { type Context, requireCaller } from './context.ts';
import { assertIdCount, maxIds } from './node.ts';

export function addForgetGenerations({ builder }: Graph): void {
  builder.mutationField('forgetGenerations', (t) =>
    t.field({
      type: ['ID'],
      nullable: true,
      description:
        'Deletes generations with their tasks, outputs and idempotency keys; returns the deleted ids. Nothing at the gateway is stopped or refunded. Skips unknown ids and running streams.',
      args: {
        ids: t.arg.idList({ required: true, description: `Generation ids, at most ${maxIds}.` }),
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

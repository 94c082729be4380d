import type { Graph } from './graph.ts';
import { type Context, requireCaller } from './context.ts';
import { assertIdCount, maxIds } from './node.ts';

export function addForgetGenerations({ builder }: Graph): void {
  builder.mutationField('forgetGenerations', (t) =>
    t.field({
      type: ['ID'],
      nullable: true,
      description:
        'Deletes generations with their tasks and outputs; returns the deleted ids. Idempotency keys stay until they expire: a retry is `NOT_FOUND`. Stops and refunds nothing at the gateway. Skips unknown ids, running streams and, with a `RUNNING` limit, running tasks.',
      args: {
        ids: t.arg.idList({ required: true, description: `Generation ids, at most ${maxIds}.` }),
      },
      resolve: (_root, { ids }, context) => forgetGenerations(ids, context),
    }),
  );
}

async function forgetGenerations(ids: readonly string[], context: Context): Promise<string[]> {
  const caller = requireCaller(context);
  assertIdCount(ids);
  const { store, streams, abandonment, limitsOf } = context.engine;
  // A forgotten task continues at the gateway, so it must not make room for another one.
  const keepsUnfinished = limitsOf(caller)?.running === undefined ? undefined : abandonment();
  const forgotten = await store.forgetGenerations(caller.owner, ids, { keepsUnfinished });
  for (const id of forgotten) streams.forget(id);
  return [...forgotten];
}

import type { Graph } from './graph.ts';
import { type Context, requireCaller } from './context.ts';
import { assertIdCount, maxIds } from './node.ts';

interface SkippedGeneration {
  readonly id: string;
  readonly reason: 'NOT_FOUND' | 'RUNNING';
}

interface DeletedGenerations {
  readonly deletedIds: readonly string[];
  readonly skipped: readonly SkippedGeneration[];
}

function skipReasonEnum({ builder }: Graph) {
  return builder.enumType('SkipReason', {
    description: 'Why a generation was not deleted.',
    values: {
      NOT_FOUND: { description: 'Unknown, deleted before, or of another caller.' },
      RUNNING: {
        description: 'A running stream or, with a `RUNNING` limit, a running task.',
      },
    },
  } as const);
}

function skippedGenerationRef({ builder, use }: Graph) {
  return builder.objectRef<SkippedGeneration>('SkippedGeneration').implement({
    description: 'A generation that was not deleted.',
    fields: (t) => ({
      id: t.exposeID('id', { description: 'As requested.' }),
      reason: t.expose('reason', { type: use(skipReasonEnum) }),
    }),
  });
}

function deletedGenerationsRef({ builder, use }: Graph) {
  return builder.objectRef<DeletedGenerations>('DeletedGenerations').implement({
    description: 'Result of `deleteGenerations`.',
    fields: (t) => ({
      deletedIds: t.exposeIDList('deletedIds', { description: 'Deleted generations.' }),
      skipped: t.expose('skipped', {
        type: [use(skippedGenerationRef)],
        description: 'All others, in the order of the request.',
      }),
    }),
  });
}

export function addDeleteGenerations({ builder, use }: Graph): void {
  builder.mutationField('deleteGenerations', (t) =>
    t.field({
      type: use(deletedGenerationsRef),
      nullable: true,
      description:
        'Deletes generations with their tasks and outputs. Keys stay until they expire: a retry is `NOT_FOUND` in `errors`. Stops and refunds nothing at the gateway.',
      args: {
        ids: t.arg.idList({ required: true, description: `Generation ids, at most ${maxIds}.` }),
      },
      resolve: (_root, { ids }, context) => deleteGenerations(ids, context),
    }),
  );
}

async function deleteGenerations(ids: readonly string[], context: Context): Promise<DeletedGenerations> {
  const caller = requireCaller(context);
  assertIdCount(ids);
  const { store, streams, abandonment, limitsOf } = context.engine;
  // A deleted task continues at the gateway, so it must not make room for another one.
  const keepsUnfinished = limitsOf(caller)?.running === undefined ? undefined : abandonment();
  const deleted = new Set(await store.deleteGenerations(caller.owner, ids, { keepsUnfinished }));
  for (const id of deleted) streams.forget(id);
  const others = [...new Set(ids)].filter((id) => !deleted.has(id));
  const kept = others.length === 0 ? [] : await store.findSummaries(caller.owner, others);
  const running = new Set(kept.map((generation) => generation?.id));
  const skipped = others.map((id) => ({ id, reason: running.has(id) ? 'RUNNING' : 'NOT_FOUND' }) as const);
  return { deletedIds: [...deleted], skipped };
}

import type { Graph } from './graph.ts';
import { type Context, requireCaller } from './context.ts';
import { rootIdOf } from './conversation.ts';
import { assertIdCount, maxIds } from './node.ts';

const maxDeletedTurns = 1000;

interface SkippedGeneration {
  readonly id: string;
  readonly reason: 'NOT_FOUND' | 'RUNNING' | 'MORE_TURNS';
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
      MORE_TURNS: { description: `Call again: one call deletes ${maxDeletedTurns} turns.` },
    },
  } as const);
}

function skippedGenerationRef({ builder, use }: Graph) {
  return builder.objectRef<SkippedGeneration>('SkippedGeneration').implement({
    description: 'A generation that was not deleted.',
    fields: (t) => ({
      id: t.exposeID('id', { description: 'As requested, or a turn.' }),
      reason: t.expose('reason', { type: use(skipReasonEnum) }),
    }),
  });
}

function deletedGenerationsRef({ builder, use }: Graph) {
  return builder.objectRef<DeletedGenerations>('DeletedGenerations').implement({
    description: 'Result of a deletion.',
    fields: (t) => ({
      deletedIds: t.exposeIDList('deletedIds', { description: 'Deleted generations.' }),
      skipped: t.expose('skipped', {
        type: [use(skippedGenerationRef)],
        description: 'All others, in order.',
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
  builder.mutationField('deleteConversation', (t) =>
    t.field({
      type: use(deletedGenerationsRef),
      nullable: true,
      description: 'Deletes all turns of a conversation, on every branch, or nothing while one runs.',
      args: { id: t.arg.id({ required: true, description: 'Id of any turn.' }) },
      resolve: (_root, { id }, context) => deleteConversation(id, context),
    }),
  );
}

async function deleteConversation(id: string, context: Context): Promise<DeletedGenerations> {
  const { owner } = requireCaller(context);
  const { store } = context.engine;
  const [generation] = await store.findSummaries(owner, [id]);
  const rootId = generation && rootIdOf(generation);
  if (rootId === undefined) return deleteGenerations([id], context);
  const turns = await store.listTurns(owner, rootId, maxDeletedTurns + 1);
  const running = turns.filter(({ finishedAt }) => finishedAt === undefined);
  if (running.length > 0)
    return { deletedIds: [], skipped: running.map((turn) => ({ id: turn.id, reason: 'RUNNING' })) };
  const deletedIds: string[] = [];
  const skipped: SkippedGeneration[] = [];
  const ids = turns.slice(0, maxDeletedTurns).map((turn) => turn.id);
  for (let start = 0; start < ids.length; start += maxIds) {
    const part = await deleteGenerations(ids.slice(start, start + maxIds), context);
    deletedIds.push(...part.deletedIds);
    skipped.push(...part.skipped);
  }
  const left = turns[maxDeletedTurns];
  return { deletedIds, skipped: left ? [...skipped, { id: left.id, reason: 'MORE_TURNS' }] : skipped };
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

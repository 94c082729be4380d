import type { NotContinuableReason } from '../errors.ts';
import { findThreadReason } from '../generations/not-continuable.ts';
import { conversationKind, type GenerationSummary, type LazyGeneration, maxTurns } from '../store/records.ts';
import { connectionType, defaultPageSize, readPage } from './connection.ts';
import { withContents } from './contents.ts';
import { type Context, requireCaller } from './context.ts';
import type { Graph } from './graph.ts';
import { notContinuableReasonEnum } from './not-continuable-reason.ts';
import { generationRef } from './refs.ts';
import { nullable } from './field-options.ts';

function continuationConnectionRef(graph: Graph) {
  return connectionType(graph, 'Continuation', graph.use(generationRef), 'continuations');
}

export function addConversation({ builder, kinds, use }: Graph): void {
  builder.objectFields(use(generationRef), (t) => ({
    parent: t.field({
      type: use(generationRef),
      ...nullable('The generation that it continues, unless deleted.'),
      resolve: async ({ turn }, _args, { loaders }) =>
        turn ? ((await loaders.generation.load(turn.parentId)) ?? null) : null,
    }),
    continuations: t.field({
      type: use(continuationConnectionRef),
      description: 'Branches that continue it, oldest first.',
      args: {
        first: t.arg.int({ defaultValue: defaultPageSize, description: 'Page size, up to 100.' }),
        after: t.arg.string({ description: 'Only items after this cursor.' }),
      },
      resolve({ id }, { first, after }, context) {
        const { owner } = requireCaller(context);
        const { store } = context.engine;
        return readPage({
          list: `continuations ${id}`,
          first,
          after,
          read: (page) => store.listContinuations(owner, id, page),
          count: (limit) => store.countContinuations(owner, id, limit),
        });
      },
    }),
    thread: t.field({
      type: [use(generationRef)],
      description: `From the first turn to this one, at most ${maxTurns}.`,
      resolve: (generation, _args, { loaders }) => loaders.thread.load(generation),
    }),
    firstTurn: t.field({
      type: use(generationRef),
      nullable: true,
      description: 'Of its conversation, unless deleted. Null if not a chat.',
      resolve: (generation, _args, { loaders }) =>
        ofConversation(generation, async (rootId) =>
          rootId === generation.id ? generation : ((await loaders.generation.load(rootId)) ?? null),
        ),
    }),
    newestTurn: t.field({
      type: use(generationRef),
      nullable: true,
      description: 'Of that conversation, on any branch.',
      resolve: (generation, _args, { loaders }) =>
        ofConversation(generation, async (rootId) => {
          const newest = await loaders.newestTurn.load(rootId);
          return newest && newest.id !== generation.id ? newest : generation;
        }),
    }),
    canContinue: t.boolean({
      description: 'Whether `ChatInput.continueFrom` can be its id.',
      resolve: async (generation, _args, context) =>
        (await findReason(kinds, generation, context)) === undefined,
    }),
    notContinuableReason: t.field({
      type: use(notContinuableReasonEnum),
      ...nullable('Null if `canContinue`.'),
      resolve: async (generation, _args, context) => (await findReason(kinds, generation, context)) ?? null,
    }),
  }));
}

/** The first turn of its conversation. Only chats have one. */
export function rootIdOf({ id, kind, turn }: GenerationSummary): string | undefined {
  return kind === conversationKind ? (turn?.rootId ?? id) : undefined;
}

function ofConversation<Turn>(
  generation: GenerationSummary,
  read: (rootId: string) => Promise<Turn>,
): Promise<Turn> | null {
  const rootId = rootIdOf(generation);
  return rootId === undefined ? null : read(rootId);
}

async function findReason(
  kinds: Graph['kinds'],
  generation: LazyGeneration,
  context: Context,
): Promise<NotContinuableReason | undefined> {
  const { conversation } = kinds.get(generation.kind) ?? {};
  if (!conversation) return 'NOT_A_CHAT';
  if (generation.finishedAt === undefined) return 'RUNNING';
  const size = await context.loaders.threadSize.load(generation);
  if (!size) return 'ANCESTOR_DELETED';
  const reason = findThreadReason(generation, size, context.engine.maxThreadBytes);
  if (reason !== undefined) return reason;
  const needsInput = generation.inputState === undefined;
  const { input, output } = await withContents(
    generation,
    needsInput ? ['input', 'output'] : ['output'],
    context,
  );
  return conversation.findReason({ generation, input, output });
}

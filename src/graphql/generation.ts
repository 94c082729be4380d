import { elapsedMs } from '../lib/time.ts';
import type { GenerationFailure, GenerationSummary, GenerationUsage } from '../store/records.ts';
import { type CanRead, isGenerationTerminal, shownStatus } from '../store/shown-status.ts';
import type { Context } from './context.ts';
import type { Graph } from './graph.ts';
import { nullable } from './field-options.ts';
import { isErrorCode } from '../error-codes.ts';
import { failureAdvice } from '../generations/failure.ts';
import { errorCodeEnum, retryAdviceEnum } from './errors.ts';
import { isCancelable } from './cancel.ts';
import { assetRef } from './asset.ts';
import { findShownAssets, findShownOutput, generationOutputRef } from './generation-output.ts';
import { contentOf } from './contents.ts';
import { findSelected, generationSelector } from './generation-selector.ts';
import { nodeRef } from './node.ts';
import type { NodeType } from './node-types.ts';
import { generationRef } from './refs.ts';
import { shareable } from './subgraph/shareable.ts';
import { shared } from './shared-descriptions.ts';

export function generationKindEnum({ builder, kinds }: Graph) {
  return builder.enumType('GenerationKind', {
    description: 'Kind of a generation and of its output.',
    values: Object.fromEntries(
      [...kinds].map(([kind, { description }]) => [kind, { value: kind, description }]),
    ),
  });
}

export function taskStatusEnum({ builder }: Graph) {
  return builder.enumType('TaskStatus', {
    description: 'Status, the same for all providers.',
    values: {
      SUBMITTED: {
        description:
          'Accepted, but the gateway has no status endpoint for it (NOT_TRACKABLE): find the result at the gateway, by `Task.upstreamId`. Terminal; `finishedAt` is null.',
      },
      QUEUED: { description: 'Accepted, not started.' },
      RUNNING: { description: 'In progress.' },
      SUCCEEDED: { description: 'Succeeded. Terminal.' },
      FAILED: {
        description: 'Failed. Partial output is kept. Terminal.',
      },
      CANCELED: { description: 'Canceled. Terminal.' },
      UNKNOWN: {
        description:
          'Unreadable or unknown status word (`rawStatus`). Terminal only if the reply to the create was lost, or for a NOT_TRACKABLE task created elsewhere.',
      },
    },
  } as const);
}

function generationUsageRef({ builder }: Graph) {
  return builder.objectRef<GenerationUsage>('GenerationUsage').implement({
    description: 'Tokens, not money, as the gateway reported them. Never estimated.',
    extensions: shareable,
    fields: (t) => ({
      promptTokens: t.exposeInt('promptTokens', nullable('Tokens that the model read.')),
      completionTokens: t.exposeInt(
        'completionTokens',
        nullable('Tokens that the model wrote, including reasoning.'),
      ),
      totalTokens: t.exposeInt('totalTokens', nullable('All tokens.')),
      cachedTokens: t.exposeInt('cachedTokens', nullable('Prompt tokens from a cache.')),
      reasoningTokens: t.exposeInt('reasoningTokens', nullable('Completion tokens for reasoning.')),
      outputTokens: t.exposeInt('outputTokens', nullable('Usually also in `completionTokens`.')),
      promptTokensDetails: t.expose('promptTokensDetails', { type: 'JSON', ...nullable('As reported.') }),
      completionTokensDetails: t.expose('completionTokensDetails', {
        type: 'JSON',
        ...nullable('As reported.'),
      }),
      raw: t.expose('raw', { type: 'JSON', ...nullable('Usage as received.') }),
    }),
  });
}

export function generationFailureRef({ builder, use }: Graph) {
  return builder.objectRef<GenerationFailure>('GenerationFailure').implement({
    description: 'Why a generation, task or read failed.',
    fields: (t) => ({
      code: t.field({
        type: use(errorCodeEnum),
        resolve: ({ code }) => (isErrorCode(code) ? code : 'INTERNAL'),
      }),
      message: t.exposeString('message', { description: shared.message }),
      retry: t.field({
        type: use(retryAdviceEnum),
        description:
          '`error`: whether to create again, because the failed work may have been charged. `readFailure`: whether to read again, which is free.',
        resolve: failureAdvice,
      }),
      retryAfterSeconds: t.exposeFloat(
        'retryAfterSeconds',
        nullable('Minimum wait, counted from the failure.'),
      ),
      upstreamCode: t.exposeString('upstreamCode', nullable(shared.upstreamCode)),
    }),
  });
}

type Measured = Pick<GenerationSummary, 'createdAt' | 'finishedAt' | 'firstTokenMs'>;

function generationMetricsRef({ builder }: Graph) {
  return builder.objectRef<Measured>('GenerationMetrics').implement({
    description: 'Measured by this API. `Task.gatewayMetrics` has durations from the gateway.',
    fields: (t) => ({
      firstTokenMs: t.expose('firstTokenMs', {
        type: 'BigInt',
        ...nullable(
          'Milliseconds from sending the request to the first token or image of a stream. Null before the end.',
        ),
      }),
      totalMs: t.field({
        type: 'BigInt',
        ...nullable(
          'Milliseconds from `createdAt` to the end, or to the read that reported it. Null before the end.',
        ),
        resolve: ({ createdAt, finishedAt }) =>
          finishedAt === undefined ? undefined : elapsedMs(createdAt, finishedAt),
      }),
    }),
  });
}

export function addGeneration(graph: Graph): void {
  const { kinds, use } = graph;
  use(generationRef).implement({
    description: 'A create operation and its result.',
    interfaces: [use(nodeRef)],
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Opaque and URL-safe.' }),
      kind: t.expose('kind', { type: use(generationKindEnum) }),
      status: t.field({
        type: use(taskStatusEnum),
        description: 'With a task, the last known status of the task.',
        resolve: (generation, _args, context) => shownStatus(generation, canReadTask(generation, context)),
      }),
      model: t.exposeString('model', nullable('By wire name. The reply may name another model.')),
      prompt: t.string({
        ...nullable(
          'Main text of the request: in a chat, the last USER message; in a cover, the lyrics. Prompts in sequence are joined by ` → `.',
        ),
        resolve: (generation, _args, context) => contentOf(generation, 'prompt', context),
      }),
      isTerminal: t.boolean({
        description: 'Whether nothing more will be learned. Also true if its outcome was lost (UNKNOWN).',
        resolve: (generation, _args, context) =>
          isGenerationTerminal(generation, canReadTask(generation, context)),
      }),
      isCancelable: t.boolean({
        description: 'Whether `cancelGeneration` can stop it now.',
        resolve: (generation, _args, context) => isCancelable(kinds, generation, context),
      }),
      collection: t.exposeID('collection', nullable(shared.collection)),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the create was received.' }),
      finishedAt: t.expose('finishedAt', {
        type: 'DateTime',
        ...nullable('When it ended. Null if it is SUBMITTED.'),
      }),
      metrics: t.field({
        type: use(generationMetricsRef),
        resolve: ({ createdAt, finishedAt, firstTokenMs }) => ({ createdAt, finishedAt, firstTokenMs }),
      }),
      output: t.field({
        type: use(generationOutputRef),
        ...nullable('The output so far.'),
        resolve: (generation, _args, context) => findShownOutput(graph, generation, context),
      }),
      assets: t.field({
        type: [use(assetRef)],
        description: 'All files of the output so far.',
        resolve: (generation, _args, context) => findShownAssets(graph, generation, context),
      }),
      usage: t.expose('usage', {
        type: use(generationUsageRef),
        ...nullable('Usage, once the gateway reports it.'),
      }),
      error: t.expose('error', {
        type: use(generationFailureRef),
        nullable: true,
      }),
      input: t.field({
        type: 'JSON',
        ...nullable(
          'As sent, by wire name. Inline media, and the longest texts of a very long request, are replaced by their size and hash.',
        ),
        resolve: (generation, _args, context) => contentOf(generation, 'input', context),
      }),
      raw: t.field({
        type: 'JSON',
        ...nullable(
          'Reply to the create; later replies are in `Task.raw`. Inline media and very long texts as in `input`.',
        ),
        resolve: (generation, _args, context) => contentOf(generation, 'raw', context),
      }),
    }),
  });
}

export function addGenerationQuery({ builder, use }: Graph): void {
  builder.queryField('generation', (t) =>
    t.field({
      type: use(generationRef),
      nullable: true,
      description:
        'One generation. Null if the caller has none such, or its create is in flight or was refused.',
      args: {
        by: t.arg({ type: use(generationSelector), required: true }),
      },
      resolve: async (_root, { by }, context) => (await findSelected(by, context)) ?? null,
    }),
  );
}

export const generationNode: NodeType = {
  prefix: 'generation',
  typeName: 'Generation',
  isEntity: true,
  find: (id, context) => context.loaders.generation.load(id),
};

/** For the status of a generation. Clients that ask for it wait for the end of its task. */
function canReadTask({ finishedAt, openTask }: GenerationSummary, { engine, caller }: Context): CanRead {
  if (finishedAt === undefined && openTask && caller) engine.hasUnfinishedTask(caller);
  return engine.tasks.canRead;
}

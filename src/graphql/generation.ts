import type { GenerationFailure, GenerationUsage } from '../store/records.ts';
import type { Graph } from './graph.ts';
import { errorCodes, type ErrorCode } from '../errors.ts';
import { requireCaller } from './context.ts';
import { errorCodeEnum } from './errors.ts';
import { isCancelable } from './cancel.ts';
import { assetRef } from './asset.ts';
import { assetsOf, findOutput, generationOutputRef } from './generation-output.ts';
import { nodeRef } from './node.ts';
import type { NodeType } from './node-types.ts';
import { generationRef } from './refs.ts';
import { shareable } from './subgraph/shareable.ts';

export function generationKindEnum({ builder, kinds }: Graph) {
  return builder.enumType('GenerationKind', {
    description: 'What a create operation makes.',
    values: Object.fromEntries(
      [...kinds].map(([kind, { description }]) => [kind, { value: kind, description }]),
    ),
  });
}

export function taskStatusEnum({ builder }: Graph) {
  return builder.enumType('TaskStatus', {
    description: 'How far work has come, in one vocabulary whatever words the gateway uses.',
    values: {
      QUEUED: { value: 'QUEUED', description: 'Accepted, not begun.' },
      RUNNING: { value: 'RUNNING', description: 'Being worked on.' },
      SUCCEEDED: { value: 'SUCCEEDED', description: 'Done. Terminal.' },
      FAILED: {
        value: 'FAILED',
        description: 'Ended without its result; what had arrived is kept. Terminal.',
      },
      CANCELED: { value: 'CANCELED', description: 'Stopped on request. Terminal.' },
      UNKNOWN: {
        value: 'UNKNOWN',
        description:
          'Not known. Of a task: the gateway uses a word of its own (`rawStatus`), or cannot be asked; it may change. Of a generation also: the reply to its create was lost, which is terminal.',
      },
    },
  } as const);
}

export function generationUsageRef({ builder }: Graph) {
  return builder.objectRef<GenerationUsage>('GenerationUsage').implement({
    description: 'What was used, as the gateway reported it; never estimated.',
    extensions: shareable,
    fields: (t) => ({
      promptTokens: t.exposeInt('promptTokens', {
        nullable: true,
        description: 'Tokens that the model read. Wire names `prompt_tokens`, `promptTokenCount`.',
      }),
      completionTokens: t.exposeInt('completionTokens', {
        nullable: true,
        description: 'Tokens that the model wrote, reasoning included. Wire name `completion_tokens`.',
      }),
      totalTokens: t.exposeInt('totalTokens', {
        nullable: true,
        description: 'Tokens in all. Wire names `total_tokens`, `totalTokenCount`.',
      }),
      cachedTokens: t.exposeInt('cachedTokens', {
        nullable: true,
        description: 'Of the tokens read, those that came from a cache.',
      }),
      reasoningTokens: t.exposeInt('reasoningTokens', {
        nullable: true,
        description: 'Of the tokens written, those spent on reasoning.',
      }),
      outputTokens: t.exposeInt('outputTokens', {
        nullable: true,
        description:
          'Tokens of the output alone, where they are counted apart (images, native content). Wire names `output_tokens`, `candidatesTokenCount`.',
      }),
      promptTokensDetails: t.expose('promptTokensDetails', {
        type: 'JSON',
        nullable: true,
        description: 'How the tokens read divide. Wire names `prompt_tokens_details`, `promptTokensDetails`.',
      }),
      completionTokensDetails: t.expose('completionTokensDetails', {
        type: 'JSON',
        nullable: true,
        description:
          'How the tokens written divide. Wire names `completion_tokens_details`, `candidatesTokensDetails`.',
      }),
      raw: t.expose('raw', { type: 'JSON', nullable: true, description: 'The report as received.' }),
    }),
  });
}

export function generationFailureRef({ builder, use }: Graph) {
  return builder.objectRef<GenerationFailure>('GenerationFailure').implement({
    description: 'Why a generation or a task did not succeed, or why a task could not be asked for.',
    fields: (t) => ({
      code: t.field({
        type: use(errorCodeEnum),
        description: 'What went wrong, as one word for programs.',
        resolve: ({ code }) => (isErrorCode(code) ? code : 'INTERNAL'),
      }),
      message: t.exposeString('message', { description: 'What went wrong, for people.' }),
      upstreamCode: t.exposeString('upstreamCode', {
        nullable: true,
        description: "The gateway's own code for it, where it sent one.",
      }),
    }),
  });
}

export function addGeneration(graph: Graph): void {
  const { kinds, use } = graph;
  use(generationRef).implement({
    description: 'One create operation and what came of it.',
    interfaces: [use(nodeRef)],
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Opaque and URL-safe.' }),
      kind: t.expose('kind', { type: use(generationKindEnum), description: 'What it makes.' }),
      status: t.expose('status', {
        type: use(taskStatusEnum),
        description: 'How far it has come; with a task, what that was last seen to be.',
      }),
      model: t.exposeString('model', {
        nullable: true,
        description: 'The model that was asked for; null where none was. The reply may name another.',
      }),
      prompt: t.exposeString('prompt', {
        nullable: true,
        description: 'The text that asked for it; of a chat the last message with role USER.',
      }),
      isTerminal: t.boolean({
        description:
          'Whether nothing more will come of it: it ended, or its outcome is lost for good (UNKNOWN).',
        resolve: ({ finishedAt }) => finishedAt !== undefined,
      }),
      isCancelable: t.boolean({
        description: 'Whether `cancelGeneration` would stop it now.',
        resolve: (generation, _args, context) => isCancelable(kinds, generation, context),
      }),
      collection: t.exposeID('collection', {
        nullable: true,
        description: 'The conversation or project that the create named.',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the create was received.' }),
      finishedAt: t.expose('finishedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When it became terminal; null before.',
      }),
      output: t.field({
        type: use(generationOutputRef),
        nullable: true,
        description:
          'What it made; what it has made so far while a stream or its task runs; null while there is nothing.',
        resolve: (generation, _args, { engine }) => findOutput(graph, generation, engine),
      }),
      assets: t.field({
        type: [use(assetRef)],
        description:
          'Every image, video and audio of the output, for galleries that need not know each kind; empty until there are any.',
        resolve: (generation, _args, { engine }) => [
          ...assetsOf(graph, findOutput(graph, generation, engine)),
        ],
      }),
      usage: t.expose('usage', {
        type: use(generationUsageRef),
        nullable: true,
        description: 'What it used, as the gateway reported it; null until and unless it does.',
      }),
      error: t.expose('error', {
        type: use(generationFailureRef),
        nullable: true,
        description: 'Why it did not succeed; null while it runs and where it did.',
      }),
      input: t.expose('input', {
        type: 'JSON',
        nullable: true,
        description:
          'The request body as sent. Inline media from 512 characters on is replaced by its size and hash; shorter stays.',
      }),
      raw: t.expose('raw', {
        type: 'JSON',
        nullable: true,
        description:
          'The reply to the create as received, a stream put together to one document; later replies of a task are in its own `raw`. Inline media from 512 characters on is replaced by its size and hash; shorter stays.',
      }),
    }),
  });
}

export function addGenerationQuery({ builder, use }: Graph): void {
  builder.queryField('generation', (t) =>
    t.field({
      type: use(generationRef),
      nullable: true,
      description: 'A generation by its id; null when there is none, or none of this caller.',
      args: { id: t.arg.id({ required: true, description: "The generation's id." }) },
      resolve: async (_root, { id }, context) => {
        requireCaller(context);
        return (await context.loaders.generation.load(id)) ?? null;
      },
    }),
  );
}

export const generationNode: NodeType = {
  prefix: 'generation',
  typeName: 'Generation',
  isEntity: true,
  find: (id, context) => context.loaders.generation.load(id),
};

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}

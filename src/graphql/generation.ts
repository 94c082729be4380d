import type { GenerationFailure, GenerationUsage } from '../store/records.ts';
import { generationKinds } from '../store/records.ts';
import { builder } from './builder.ts';
import { errorCodes, type ErrorCode } from '../errors.ts';
import { requireCaller } from './context.ts';
import { ErrorCodeEnum } from './errors.ts';
import { isCancelable } from './cancel.ts';
import { AssetRef } from './asset.ts';
import { assetsOf, findOutput, GenerationOutputRef } from './generation-output.ts';
import { NodeRef } from './node.ts';
import { GenerationRef } from './refs.ts';
import { registerEntity } from './subgraph/entities.ts';
import { shareable } from './subgraph/shareable.ts';

export const GenerationKindEnum = builder.enumType('GenerationKind', {
  description: 'What a create operation makes.',
  values: Object.fromEntries(
    Object.entries(generationKinds).map(([kind, description]) => [kind, { value: kind, description }]),
  ) as {
    // fromEntries forgets which keys it was given.
    [Kind in keyof typeof generationKinds]: { value: Kind; description: string };
  },
});

export const TaskStatusEnum = builder.enumType('TaskStatus', {
  description: 'How far work has come, in one vocabulary whatever words the gateway uses.',
  values: {
    QUEUED: { value: 'QUEUED', description: 'Accepted, not begun.' },
    RUNNING: { value: 'RUNNING', description: 'Being worked on.' },
    SUCCEEDED: { value: 'SUCCEEDED', description: 'Done. Terminal.' },
    FAILED: { value: 'FAILED', description: 'Ended without its result; what had arrived is kept. Terminal.' },
    CANCELED: { value: 'CANCELED', description: 'Stopped on request. Terminal.' },
    UNKNOWN: {
      value: 'UNKNOWN',
      description: 'The gateway uses a word that is not known, or the reply to the create was lost.',
    },
  },
} as const);

export const GenerationUsageRef = builder.objectRef<GenerationUsage>('GenerationUsage').implement({
  description: 'What was used, as the gateway reported it; never estimated.',
  extensions: shareable,
  fields: (t) => ({
    promptTokens: t.exposeInt('promptTokens', { nullable: true, description: 'Tokens read.' }),
    completionTokens: t.exposeInt('completionTokens', {
      nullable: true,
      description: 'Tokens written, reasoning included.',
    }),
    totalTokens: t.exposeInt('totalTokens', { nullable: true, description: 'Tokens in all.' }),
    cachedTokens: t.exposeInt('cachedTokens', {
      nullable: true,
      description: 'Of the tokens read, those from a cache.',
    }),
    reasoningTokens: t.exposeInt('reasoningTokens', {
      nullable: true,
      description: 'Of the tokens written, those spent on reasoning.',
    }),
    outputTokens: t.exposeInt('outputTokens', {
      nullable: true,
      description:
        'Tokens that make up the output, where counted apart. Wire names `output_tokens`, `candidatesTokenCount`.',
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

export const GenerationFailureRef = builder.objectRef<GenerationFailure>('GenerationFailure').implement({
  description: 'Why a generation did not succeed.',
  fields: (t) => ({
    code: t.field({
      type: ErrorCodeEnum,
      description: 'For programs.',
      resolve: ({ code }) => (isErrorCode(code) ? code : 'INTERNAL'),
    }),
    message: t.exposeString('message', { description: 'For people.' }),
    upstreamCode: t.exposeString('upstreamCode', {
      nullable: true,
      description: "The gateway's own word, where it sent one.",
    }),
  }),
});

GenerationRef.implement({
  description: 'One create operation and what came of it.',
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque and URL-safe.' }),
    kind: t.expose('kind', { type: GenerationKindEnum, description: 'What it makes.' }),
    status: t.expose('status', { type: TaskStatusEnum, description: 'How far it has come.' }),
    model: t.exposeString('model', {
      nullable: true,
      description: 'The model asked for; the reply may name another.',
    }),
    prompt: t.exposeString('prompt', {
      nullable: true,
      description: 'The text that asked for it; for a chat the last user message.',
    }),
    isTerminal: t.boolean({
      description: 'Whether nothing more will come of it.',
      resolve: ({ finishedAt }) => finishedAt !== undefined,
    }),
    isCancelable: t.boolean({
      description: 'Whether `cancelGeneration` would stop it now.',
      resolve: (generation, _args, context) => isCancelable(generation, context),
    }),
    group: t.exposeID('group', {
      nullable: true,
      description: 'The conversation or project that the create named.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the create was received.' }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it became terminal.',
    }),
    output: t.field({
      type: GenerationOutputRef,
      nullable: true,
      description: 'What it made; partial while a chat runs.',
      resolve: (generation, _args, context) => findOutput(generation, context),
    }),
    assets: t.field({
      type: [AssetRef],
      description: 'Every image, video and audio of the output, for galleries that need not know each kind.',
      resolve: (generation, _args, context) => [...assetsOf(findOutput(generation, context))],
    }),
    usage: t.expose('usage', {
      type: GenerationUsageRef,
      nullable: true,
      description: 'As reported; null until and unless it is.',
    }),
    error: t.expose('error', {
      type: GenerationFailureRef,
      nullable: true,
      description: 'Why it did not succeed.',
    }),
    input: t.expose('input', {
      type: 'JSON',
      nullable: true,
      description: 'The request body as sent; inline media replaced by size and hash.',
    }),
    raw: t.expose('raw', {
      type: 'JSON',
      nullable: true,
      description: 'The reply as received; a stream put together to one document.',
    }),
  }),
});

registerEntity('generation', {
  typeName: 'Generation',
  find: (id, context) => context.loaders.generation.load(id),
});

builder.queryField('generation', (t) =>
  t.field({
    type: GenerationRef,
    nullable: true,
    description: 'A generation by its id; null when there is none, or none of this caller.',
    args: { id: t.arg.id({ required: true, description: "The generation's id." }) },
    resolve: async (_root, { id }, context) => {
      requireCaller(context);
      return (await context.loaders.generation.load(id)) ?? null;
    },
  }),
);

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}

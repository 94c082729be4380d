import type { GraphQLResolveInfo } from 'graphql';
import { ExpectedError, RequestError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { registerCancel } from '../../graphql/cancel.ts';
import { type Context, requireCaller } from '../../graphql/context.ts';
import {
  argumentIssues,
  type CreateArguments,
  type CreateCall,
  createArguments,
  CreateGenerationResultRef,
  idempotencyKeyOf,
} from '../../graphql/create.ts';
import { GengraphErrorRef, toErrorFacts } from '../../graphql/errors.ts';
import { registerOutput, registerOutputReader } from '../../graphql/generation-output.ts';
import { GenerationRef } from '../../graphql/refs.ts';
import { findChatStream } from './chat-stream.ts';
import { cancelChat, type ChatRequest, createChatCompletion, missingKeyIssues, startChat } from './chats.ts';
import {
  type ChatCompletion,
  type ChatEvent,
  type ChatEvents,
  chatStream,
  followChat,
  recordedCompletion,
  refusedChat,
} from './follow-chat.ts';
import { ChatInput } from './inputs.ts';
import { ChatChoiceDeltaRef, ChatCompletionRef } from './types.ts';

registerCancel('CHAT', cancelChat);
registerOutput({ type: 'chat-completion', ref: ChatCompletionRef });
registerOutputReader('CHAT', (generation, { kernel }) => {
  const stream = findChatStream(kernel, generation.id);
  const isRunning = stream !== undefined && stream.end === undefined;
  if (!isRunning) return generation.output && recordedCompletion(generation);
  const { sequence, state } = stream;
  return { type: 'chat-completion', sequence, state, generation } satisfies ChatCompletion;
});

type EventOf<Type extends ChatEvent['type']> = ChatEvent & { readonly type: Type };

const typeNames: { readonly [Type in ChatEvent['type']]: string } = {
  'chat-snapshot': 'ChatSnapshot',
  'chat-delta': 'ChatDelta',
  'chat-completed': 'ChatCompleted',
  'chat-canceled': 'ChatCanceled',
  'chat-failed': 'ChatFailed',
};

const ChatEventRef = builder.interfaceRef<ChatEvent>('ChatEvent').implement({
  description:
    'First a ChatSnapshot, then ChatDeltas, then exactly one of ChatCompleted, ChatCanceled, ChatFailed. A client that reconnects replaces its state by the snapshot and goes on.',
  fields: (t) => ({
    generationId: t.id({
      nullable: true,
      description:
        'For `chatStream`, `generation`, `cancelGeneration`; null only where a refusal made no generation.',
      resolve: (event) => event.generationId,
    }),
    sequence: t.exposeInt('sequence', {
      description: 'Number of the last delta up to here; 0 before the first.',
    }),
    soFar: t.field({
      type: ChatCompletionRef,
      description: 'The whole reply up to here, for clients that keep no state. Costs only when selected.',
      resolve: (event) => event.soFar,
    }),
  }),
  resolveType: (event) => typeNames[event.type],
});

const interfaces = [ChatEventRef];

builder.objectRef<EventOf<'chat-snapshot'>>('ChatSnapshot').implement({
  description: 'Everything so far, in `soFar`: replace what you have by it.',
  interfaces,
});

builder.objectRef<EventOf<'chat-delta'>>('ChatDelta').implement({
  description:
    'What is new. Apply it if `fromSequence` is your last `sequence` + 1; drop it if `sequence` is not beyond yours; else you missed something: subscribe again without `after`.',
  interfaces,
  fields: (t) => ({
    fromSequence: t.exposeInt('fromSequence', {
      description:
        'First of the upstream deltas in this one; `sequence` is the last. Deltas merge when they arrive together or wait for a slow socket.',
    }),
    choices: t.field({
      type: [ChatChoiceDeltaRef],
      description: 'Per candidate what is new.',
      resolve: (event) => [...event.choices],
    }),
  }),
});

builder.objectRef<EventOf<'chat-completed' | 'chat-canceled'>>('ChatCompleted').implement({
  description: 'The end: the gateway closed the stream with `[DONE]`.',
  interfaces,
  fields: (t) => ({
    generation: t.field({
      type: GenerationRef,
      nullable: true,
      description: 'Its record, with usage.',
      resolve: (event) => event.generation,
    }),
  }),
});

builder.objectRef<EventOf<'chat-completed' | 'chat-canceled'>>('ChatCanceled').implement({
  description:
    'The end: cancelled by its owner, or stopped because nobody watched. What had arrived is kept.',
  interfaces,
  fields: (t) => ({
    generation: t.field({
      type: GenerationRef,
      nullable: true,
      description: 'Its record.',
      resolve: (event) => event.generation,
    }),
  }),
});

builder.objectRef<EventOf<'chat-failed'>>('ChatFailed').implement({
  description:
    'The end: refused (the same error types as `startChat`), cut, stalled, or not to be followed. What had arrived is kept.',
  interfaces,
  fields: (t) => ({
    error: t.field({
      type: GengraphErrorRef,
      description: 'Why.',
      resolve: (event) => toErrorFacts(event.error),
    }),
    generation: t.field({
      type: GenerationRef,
      nullable: true,
      description: 'Its record; null where a refusal made none.',
      resolve: (event) => event.generation,
    }),
  }),
});

builder.mutationFields((t) => ({
  createChatCompletion: t.field({
    type: CreateGenerationResultRef,
    description:
      'Asks for a whole reply and waits for it (POST /v1/chat/completions, `stream: false`). For anything a person watches, use `startChat` or `chat`.',
    args: {
      input: t.arg({ type: ChatInput, required: true, description: 'The request.' }),
      ...createArguments,
    },
    resolve: (_root, { input, ...args }, context, info) =>
      createChatCompletion(context, toChatRequest(input, { args, context, info })),
  }),
  startChat: t.field({
    type: CreateGenerationResultRef,
    description:
      'Starts a chat and returns at once (POST /v1/chat/completions, `stream: true`); follow it with `chatStream`. It runs to its end whoever watches.',
    args: {
      input: t.arg({ type: ChatInput, required: true, description: 'The request.' }),
      ...createArguments,
    },
    resolve: (_root, { input, ...args }, context, info) =>
      startChat(context, { ...toChatRequest(input, { args, context, info }), isDetachable: false }),
  }),
}));

builder.subscriptionFields((t) => ({
  chat: t.field({
    type: ChatEventRef,
    description:
      '`startChat` and `chatStream` in one. Over a WebSocket a retry by the stock client attaches to the same chat; elsewhere `idempotencyKey` is required. A chat without a key of your own is stopped once nobody has watched it for a while.',
    args: {
      input: t.arg({ type: ChatInput, required: true, description: 'The request.' }),
      ...createArguments,
    },
    subscribe: (_root, args, context, info) => chat(args, context, info),
    resolve: (event) => event,
  }),
  chatStream: t.field({
    type: ChatEventRef,
    description:
      'Follows a chat from any connection. Never creates, never charges. Of a finished chat: snapshot and end.',
    args: {
      id: t.arg.id({ required: true, description: "The chat's generation." }),
      after: t.arg.int({
        description:
          'You hold everything through this `sequence`: only what follows is sent, or a snapshot where that is no longer possible. Leave it out where your client re-sends its first variables on a reconnect.',
      }),
    },
    subscribe: (_root, { id, after }, context) => chatStream(context, id, after ?? undefined),
    resolve: (event) => event,
  }),
}));

type ChatArguments = CreateArguments & { readonly input: typeof ChatInput.$inferInput };

function toChatRequest(input: ChatArguments['input'], { args, context, info }: CreateCall): ChatRequest {
  const key = idempotencyKeyOf(args, context, info);
  return { input, key, group: args.group, issues: argumentIssues(args) };
}

async function chat(args: ChatArguments, context: Context, info: GraphQLResolveInfo): Promise<ChatEvents> {
  requireCaller(context);
  try {
    const request = toChatRequest(args.input, { args, context, info });
    const issues = [...missingKeyIssues(request.key), ...request.issues];
    const isDetachable = request.key?.source !== 'client';
    return followChat(context, await startChat(context, { ...request, issues, isDetachable }));
  } catch (error) {
    // A refusal is this stream's only event, in the same types as the mutation's.
    if (error instanceof ExpectedError && !(error instanceof RequestError)) return refusedChat(error);
    throw error;
  }
}

import type { GraphQLResolveInfo } from 'graphql';
import { ExpectedError, RequestError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { registerCancel } from '../../graphql/cancel.ts';
import { type Context, requireCaller } from '../../graphql/context.ts';
import {
  type CreateArguments,
  type CreateCall,
  createArguments,
  CreateGenerationResultRef,
} from '../../graphql/create.ts';
import { GengraphErrorRef, toErrorFacts } from '../../graphql/errors.ts';
import { registerOutput, registerOutputReader } from '../../graphql/generation-output.ts';
import { GenerationRef } from '../../graphql/refs.ts';
import { cancelStream } from '../../graphql/streamed/end-stream.ts';
import {
  followById,
  followStream,
  type GenerationEvent,
  type GenerationEvents,
  refusedStream,
} from '../../graphql/streamed/follow-stream.ts';
import {
  createWhole,
  missingKeyIssues,
  startStream,
  type StreamedCreation,
  toKeyedCall,
} from '../../graphql/streamed/run-stream.ts';
import { chatKind, findCompletion } from './chat-kind.ts';
import { chatPath, toChatBody } from './client.ts';
import type { ChatDelta, ChatState } from './completion.ts';
import { ChatInput } from './inputs.ts';
import { chatLimits } from './limits.ts';
import { ChatChoiceDeltaRef, ChatCompletionRef } from './types.ts';

registerCancel('CHAT', (generation, context) => cancelStream(chatKind, generation, context));
registerOutput({ type: 'chat-completion', ref: ChatCompletionRef });
registerOutputReader('CHAT', (generation, { kernel }) => findCompletion(generation, kernel));

type ChatEvent = GenerationEvent<ChatState, ChatDelta>;
type EventOf<Type extends ChatEvent['type']> = ChatEvent & { readonly type: Type };

const typeNames: { readonly [Type in ChatEvent['type']]: string } = {
  snapshot: 'ChatSnapshot',
  delta: 'ChatDelta',
  completed: 'ChatCompleted',
  canceled: 'ChatCanceled',
  failed: 'ChatFailed',
};

const ChatEventRef = builder.interfaceRef<ChatEvent>('ChatEvent').implement({
  description:
    'First a ChatSnapshot, then ChatDeltas, then exactly one of ChatCompleted, ChatCanceled, ChatFailed. A client that reconnects replaces its state by the snapshot and goes on.',
  fields: (t) => ({
    generationId: t.id({
      nullable: true,
      description:
        'For `chatStream`, `generation`, `cancelGeneration`; null only where a refusal made no generation.',
      resolve: ({ generation }) => generation?.id,
    }),
    sequence: t.exposeInt('sequence', {
      description: 'Number of the last delta up to here; 0 before the first.',
    }),
    soFar: t.field({
      type: ChatCompletionRef,
      description: 'The whole reply up to here, for clients that keep no state. Costs only when selected.',
      resolve: ({ sequence, state, generation }) => ({
        type: 'chat-completion' as const,
        sequence,
        state,
        generation,
      }),
    }),
  }),
  resolveType: (event) => typeNames[event.type],
});

const interfaces = [ChatEventRef];

builder.objectRef<EventOf<'snapshot'>>('ChatSnapshot').implement({
  description: 'Everything so far, in `soFar`: replace what you have by it.',
  interfaces,
});

builder.objectRef<EventOf<'delta'>>('ChatDelta').implement({
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
      resolve: ({ delta }) => [...delta.choices],
    }),
  }),
});

builder.objectRef<EventOf<'completed' | 'canceled'>>('ChatCompleted').implement({
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

builder.objectRef<EventOf<'completed' | 'canceled'>>('ChatCanceled').implement({
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

builder.objectRef<EventOf<'failed'>>('ChatFailed').implement({
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
      createWhole(context, {
        ...toCreation(input, { args, context, info }),
        operation: 'createChatCompletion',
        toBody: (chat) => toChatBody(chat, false),
      }),
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
      startStream(context, { ...toCreation(input, { args, context, info }), isDetachable: false }),
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
    subscribe: (_root, { id, after }, context) =>
      followById(context, chatKind, { id, after: after ?? undefined }),
    resolve: (event) => event,
  }),
}));

type ChatArguments = CreateArguments & { readonly input: ChatInput };

function toCreation(input: ChatInput, call: CreateCall): StreamedCreation<ChatState, ChatDelta, ChatInput> {
  return {
    ...toKeyedCall(call),
    streamed: chatKind,
    operation: 'chat',
    input,
    limits: chatLimits,
    model: input.model,
    prompt: promptOf(input),
    path: chatPath,
    toBody: (chat) => toChatBody(chat, true),
    headers: requireCaller(call.context).forwarded,
  };
}

async function chat(
  { input, ...args }: ChatArguments,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<GenerationEvents<ChatState, ChatDelta>> {
  const creation = toCreation(input, { args, context, info });
  try {
    const issues = [...missingKeyIssues(creation.key), ...creation.issues];
    const isDetachable = creation.key?.source !== 'client';
    const generation = await startStream(context, { ...creation, issues, isDetachable });
    return followStream(context, chatKind, generation);
  } catch (error) {
    // A refusal is this stream's only event, in the same types as the mutation's.
    if (error instanceof ExpectedError && !(error instanceof RequestError))
      return refusedStream(chatKind, error);
    throw error;
  }
}

/** The text of the last user message. */
function promptOf({ messages }: ChatInput): string | undefined {
  const asked = messages.findLast(({ role }) => role === 'user')?.content;
  const text = asked?.text ?? asked?.parts?.map((part) => part.text ?? '').join('');
  return text === '' ? undefined : text;
}

import type { Graph } from '../../graphql/graph.ts';
import { type Context, toOperation } from '../../graphql/context.ts';
import { createArguments, createGenerationResultRef, toCreateCall } from '../../graphql/create.ts';
import { createAndFollow } from '../../streams/create-and-follow.ts';
import { streamEventTypes } from '../../graphql/stream-event-types.ts';
import { followById } from '../../streams/follow-stream.ts';
import { createWithoutStreaming, startStream, type StreamedCreation } from '../../streams/start-stream.ts';
import { type ChatCompletion, chatKind } from './chat-kind.ts';
import { chatPath, toChatBody } from './client.ts';
import type { ChatDelta, ChatState } from './completion.ts';
import { type ChatInput, chatInput } from './inputs.ts';
import { chatLimits } from './limits.ts';
import { chatChoiceDeltaRef, chatCompletionRef } from './types.ts';

function chatEvents(graph: Graph) {
  const events = streamEventTypes<ChatState, ChatDelta, ChatCompletion>(graph, {
    prefix: 'Chat',
    soFar: graph.use(chatCompletionRef),
    toSoFar: ({ sequence, state, generation }) => ({ type: 'chat-completion', sequence, state, generation }),
    descriptions: {
      generationId: '`chatStream`, `generation`, `cancelGeneration`',
      soFar: 'The whole reply up to here, for clients that keep no state. Worked out only when selected.',
      again: 'without `after`',
      completed: 'The end: the gateway closed the stream with `[DONE]`.',
      failed:
        'The end: refused (the same error types as `startChat`), cut, stalled, or not to be followed. What had arrived is kept.',
    },
  });
  graph.builder.objectField(events.delta, 'choices', (t) =>
    t.field({
      type: [graph.use(chatChoiceDeltaRef)],
      description: 'What is new of each candidate.',
      resolve: ({ delta }) => [...delta.choices],
    }),
  );
  return events;
}

export function addChatCreates({ builder, use }: Graph): void {
  builder.mutationFields((t) => ({
    createChatCompletion: t.field({
      type: use(createGenerationResultRef),
      description:
        'Asks for a whole reply and waits for it (POST /v1/chat/completions, `stream: false`). For anything a person watches, use `startChat` or `chat`.',
      args: {
        input: t.arg({ type: use(chatInput), required: true, description: 'The request.' }),
        ...use(createArguments),
      },
      resolve: (_root, { input, ...args }, context, info) =>
        createWithoutStreaming(toCreateCall(args, context, info), {
          ...toCreation(input, context),
          operation: 'createChatCompletion',
          toBody: (chat) => toChatBody(chat, false),
        }),
    }),
    startChat: t.field({
      type: use(createGenerationResultRef),
      description:
        'Starts a chat and returns at once (POST /v1/chat/completions, `stream: true`); follow it with `chatStream`. It runs to its end whoever watches.',
      args: {
        input: t.arg({ type: use(chatInput), required: true, description: 'The request.' }),
        ...use(createArguments),
      },
      resolve: (_root, { input, ...args }, context, info) =>
        startStream(toCreateCall(args, context, info), {
          ...toCreation(input, context),
          isDetachable: false,
        }),
    }),
  }));
}

export function addChatStreams({ builder, use }: Graph): void {
  const { event } = use(chatEvents);
  builder.subscriptionFields((t) => ({
    chat: t.field({
      type: event,
      description:
        '`startChat` and `chatStream` in one. Over a WebSocket a retry by the stock client attaches to the same chat; elsewhere `idempotencyKey` is required. A chat without a key of your own is stopped once nobody has watched it for a while (CHAT_DETACH_SECONDS, 2 minutes by default).',
      args: {
        input: t.arg({ type: use(chatInput), required: true, description: 'The request.' }),
        ...use(createArguments),
      },
      subscribe: (_root, { input, ...args }, context, info) =>
        createAndFollow(toCreateCall(args, context, info), toCreation(input, context)),
      resolve: (chatEvent) => chatEvent,
    }),
    chatStream: t.field({
      type: event,
      description:
        'Follows a chat from any connection. Never creates, never charges. Of a finished chat: snapshot and end.',
      args: {
        id: t.arg.id({ required: true, description: "The id of the chat's generation." }),
        after: t.arg.int({
          description:
            'The `sequence` through which you hold everything: only what follows is sent, or a snapshot where that is no longer possible. Leave it out where your client re-sends its first variables on a reconnect.',
        }),
      },
      subscribe: (_root, { id, after }, context) =>
        followById(toOperation(context), chatKind, { id, after: after ?? undefined }),
      resolve: (chatEvent) => chatEvent,
    }),
  }));
}

function toCreation(
  input: ChatInput,
  { caller }: Context,
): StreamedCreation<ChatState, ChatDelta, ChatInput> {
  return {
    streamed: chatKind,
    operation: 'chat',
    input,
    limits: chatLimits,
    model: input.model,
    prompt: promptOf(input),
    path: chatPath,
    toBody: (chat) => toChatBody(chat, true),
    ...(caller && { headers: caller.forwarded }),
  };
}

/** The text of the last user message. */
function promptOf({ messages }: ChatInput): string | undefined {
  const asked = messages.findLast(({ role }) => role === 'user')?.content;
  const text = asked?.text ?? asked?.parts?.map((part) => part.text ?? '').join('');
  return text === '' ? undefined : text;
}

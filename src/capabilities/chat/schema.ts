import type { CreateCall } from '../../generations/create.ts';
import type { Graph } from '../../graphql/graph.ts';
import { toOperation } from '../../graphql/context.ts';
import { addCreate, createArguments, toCreateCall } from '../../graphql/create.ts';
import { createAndFollow } from '../../streams/create-and-follow.ts';
import {
  followArguments,
  intervalArgument,
  toFollowOptions,
  toInterval,
} from '../../graphql/follow-arguments.ts';
import { streamEventTypes } from '../../graphql/stream-event-types.ts';
import type { JsonObject } from '../../lib/json.ts';
import { followById } from '../../streams/follow-stream.ts';
import { createWithoutStreaming, startStream, type StreamedCreation } from '../../streams/start-stream.ts';
import { type ChatCompletion, chatKind } from './chat-kind.ts';
import { type ChatBodyOptions, chatPath, toChatBody } from './client.ts';
import { continueChat } from './continue-chat.ts';
import type { ChatDelta, ChatState } from './completion.ts';
import { type ChatInput, chatInput } from './inputs.ts';
import { chatLimits } from './limits.ts';
import { chatChoiceDeltaRef, chatCompletionRef } from './types.ts';
import { hasMessage } from './wire.ts';

function chatEventTypes(graph: Graph) {
  const events = streamEventTypes<ChatState, ChatDelta, ChatCompletion>(graph, {
    prefix: 'Chat',
    soFar: graph.use(chatCompletionRef),
    toSoFar: ({ sequence, state, generation }) => ({ type: 'chat-completion', sequence, state, generation }),
    descriptions: {
      event:
        'One ChatSnapshot, any number of ChatDelta, then one of ChatCompleted, ChatCanceled or ChatFailed. With `after`, deltas from there come first if the server holds them. A later ChatSnapshot replaces your state. A stream without a final event was cut: subscribe again.',
      soFar: 'Whole reply so far. Selected on deltas, its traffic grows with the square of the reply.',
      delta:
        'Apply it if `fromSequence` is your last `sequence` + 1. Ignore it if `sequence` is not greater than yours. Otherwise subscribe again without `after`.',
      canceled: 'Final event: canceled, or stopped without a subscriber. Output is kept.',
      completed: 'Final event: the reply is complete.',
      failed: 'Final event: refused, failed or not resumable. Saved parts are kept.',
    },
  });
  graph.builder.objectField(events.delta, 'choices', (t) =>
    t.field({
      type: [graph.use(chatChoiceDeltaRef)],
      description: 'New parts of candidates.',
      resolve: ({ delta }) => delta.choices,
    }),
  );
  return events;
}

export function addChatCreates(graph: Graph): void {
  addCreate(graph, 'createChatCompletion', {
    description: 'Creates a chat completion and waits for the whole reply.',
    input: chatInput,
    create: (call, input) =>
      createWithoutStreaming(call, {
        ...toCreation(call, input, { isStreamed: false }),
        operation: 'createChatCompletion',
      }),
  });
  addCreate(graph, 'startChat', {
    description:
      'Starts a chat without waiting for the reply. Follow it with `chatEvents`. It runs to its end, also without a subscriber.',
    input: chatInput,
    create: (call, input) =>
      startStream(call, { ...toCreation(call, input, { isStreamed: true }), isDetachable: false }),
  });
}

export function addChatStreams({ builder, use }: Graph): void {
  const { event } = use(chatEventTypes);
  builder.subscriptionFields((t) => ({
    streamChat: t.field({
      type: event,
      extensions: { followedBy: 'chatEvents' },
      description:
        'Creates a chat and follows it. `idempotencyKey` is required, except over WebSocket or callbacks with a UUID as operation id: a retry of the operation then reattaches. Without `idempotencyKey`, also with a UUID, the chat stops after 2 minutes (by default) without a subscriber.',
      args: {
        input: t.arg({ type: use(chatInput), required: true }),
        ...use(createArguments),
        ...use(intervalArgument),
      },
      subscribe(_root, { input, ...args }, context, info) {
        const call = toCreateCall(args, context, info);
        const minIntervalMs = toInterval(args, info, 'Chat');
        return createAndFollow(call, { ...toCreation(call, input, { isStreamed: true }), minIntervalMs });
      },
      resolve: (chatEvent) => chatEvent,
    }),
    chatEvents: t.field({
      type: event,
      description:
        'Follows a chat, from any connection, free of charge. A finished chat sends a snapshot and its final event.',
      args: use(followArguments),
      subscribe: (_root, { id, ...args }, context, info) =>
        followById(toOperation(context), chatKind, { id, ...toFollowOptions(args, info, 'Chat') }),
      resolve: (chatEvent) => chatEvent,
    }),
  }));
}

function toCreation(
  { caller, engine }: CreateCall,
  input: ChatInput,
  { isStreamed }: Pick<ChatBodyOptions, 'isStreamed'>,
): StreamedCreation<ChatState, ChatDelta, ChatInput> {
  // The limit counts reported tokens, so the caller must not decline the report.
  const needsUsage = engine.limitsOf(caller)?.tokensPerDay !== undefined;
  const toBody = (chat: ChatInput): JsonObject => toChatBody(chat, { isStreamed, needsUsage });
  const { continueFrom } = input;
  return {
    streamed: chatKind,
    isContinuable: true,
    ...(typeof continueFrom === 'string' && {
      continue: continueChat({ engine, caller }, { ...input, continueFrom }, () => toBody(input)),
    }),
    operation: 'chat',
    input,
    limits: chatLimits,
    model: input.model,
    prompt: promptOf(input),
    path: chatPath,
    toBody,
    isAccepted: hasMessage,
    headers: caller.forwarded,
  };
}

/** The text of the last user message. */
function promptOf({ messages }: ChatInput): string | undefined {
  const content = messages.findLast(({ role }) => role === 'user')?.content;
  const text = content?.text ?? content?.parts?.map((part) => part.text ?? '').join('');
  return text === '' ? undefined : text;
}

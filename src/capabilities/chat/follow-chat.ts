import { type ExpectedError, StreamError } from '../../errors.ts';
import { fromFailure } from '../../generations/failure.ts';
import { type Context, requireCaller } from '../../graphql/context.ts';
import { iterateValues, mapIterator } from '../../lib/iterate.ts';
import { isRecord } from '../../lib/json.ts';
import type { Generation } from '../../store/records.ts';
import type { StreamEvent } from '../../streams/shape.ts';
import { type ChatEnd, findChatStream } from './chat-stream.ts';
import { type ChatChoice, type ChatDelta, chatShape, type ChatState } from './completion.ts';

/** A chat's reply as far as it goes, with the request that it answers. */
export interface ChatCompletion {
  readonly type: 'chat-completion';
  readonly sequence: number;
  readonly state: ChatState;
  readonly generation: Generation | undefined;
}

interface ChatEventBase {
  readonly generationId: string | undefined;
  readonly sequence: number;
  readonly soFar: ChatCompletion;
}

export type ChatEvent =
  | (ChatEventBase & { readonly type: 'chat-snapshot' })
  | (ChatEventBase & {
      readonly type: 'chat-delta';
      readonly fromSequence: number;
      readonly choices: readonly ChatChoice[];
    })
  | (ChatEventBase & { readonly type: 'chat-completed' | 'chat-canceled'; readonly generation: Generation })
  | (ChatEventBase & {
      readonly type: 'chat-failed';
      readonly generation: Generation | undefined;
      readonly error: ExpectedError;
    });

export type ChatEvents = AsyncIterableIterator<ChatEvent, undefined>;

/** Watches one of the caller's chats. What cannot be followed says so in one event. */
export async function chatStream(context: Context, id: string, after?: number): Promise<ChatEvents> {
  requireCaller(context);
  const generation = await context.loaders.generation.load(id);
  if (generation?.kind === 'CHAT') return followChat(context, generation, after);
  return refusedChat(new StreamError('NOT_RESUMABLE', 'There is no chat with this id to follow.'));
}

export function followChat(context: Context, generation: Generation, after?: number): ChatEvents {
  const stream = findChatStream(context.kernel, generation.id);
  if (stream) return mapIterator(stream.follow(after), (event) => toChatEvent(event, generation));
  return iterateValues(recordedEvents(generation));
}

/** The only event of a chat that never came to be. */
export function refusedChat(error: ExpectedError): ChatEvents {
  const soFar: ChatCompletion = {
    type: 'chat-completion',
    sequence: 0,
    state: chatShape.initial,
    generation: undefined,
  };
  return iterateValues<ChatEvent>([
    { type: 'chat-failed', generationId: undefined, sequence: 0, soFar, generation: undefined, error },
  ]);
}

/** Snapshot and end from the record, once the log is gone. */
function recordedEvents(generation: Generation): readonly ChatEvent[] {
  const soFar = recordedCompletion(generation);
  const base = { generationId: generation.id, sequence: soFar.sequence, soFar };
  const snapshot: ChatEvent = { ...base, type: 'chat-snapshot' };
  if (generation.status === 'SUCCEEDED') return [snapshot, { ...base, type: 'chat-completed', generation }];
  if (generation.status === 'CANCELED') return [snapshot, { ...base, type: 'chat-canceled', generation }];
  const error = generation.error
    ? fromFailure(generation.error, generation.id)
    : new StreamError('INTERRUPTED', 'The server that ran this chat stopped.');
  return [snapshot, { ...base, type: 'chat-failed', generation, error }];
}

/** The reply as recorded; empty where nothing was. */
export function recordedCompletion(generation: Generation): ChatCompletion {
  const { output } = generation;
  const state = output?.type === 'chat-completion' && 'state' in output ? output.state : undefined;
  const sequence =
    output && 'sequence' in output && typeof output.sequence === 'number' ? output.sequence : 0;
  // Written by this capability, in this form.
  return {
    type: 'chat-completion',
    sequence,
    state: isRecord(state) ? (state as unknown as ChatState) : chatShape.initial,
    generation,
  };
}

function toChatEvent(event: StreamEvent<ChatState, ChatDelta, ChatEnd>, generation: Generation): ChatEvent {
  const { sequence, state } = event;
  const soFar: ChatCompletion = { type: 'chat-completion', sequence, state, generation };
  const base = { generationId: generation.id, sequence, soFar };
  switch (event.type) {
    case 'snapshot':
      return { ...base, type: 'chat-snapshot' };
    case 'delta':
      return { ...base, type: 'chat-delta', fromSequence: event.fromSequence, choices: event.delta.choices };
    case 'end':
      return toEndEvent(event.end, { ...base, soFar: { ...soFar, generation: event.end.generation } });
    default:
      return event satisfies never;
  }
}

function toEndEvent({ type, generation, error }: ChatEnd, base: ChatEventBase): ChatEvent {
  switch (type) {
    case 'completed':
      return { ...base, type: 'chat-completed', generation };
    case 'canceled':
      return { ...base, type: 'chat-canceled', generation };
    case 'failed':
      return {
        ...base,
        type: 'chat-failed',
        generation,
        error: error ?? new StreamError('INTERRUPTED', 'The chat ended early.'),
      };
    default:
      return type satisfies never;
  }
}

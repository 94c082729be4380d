import type { ChatEventsSubscription } from './documents.generated.ts';
import type { GengraphProblem, InputIssue } from './problem.ts';

export type ChatEvent = ChatEventsSubscription['chatEvents'];

type Message = Extract<ChatEvent, { __typename: 'ChatSnapshot' }>['soFar']['choices'][number]['message'];
export type ChatToolCall = NonNullable<Message['toolCalls']>[number];
type CompletedChat = NonNullable<Extract<ChatEvent, { __typename: 'ChatCompleted' }>['generation']>;
export type ChatUsage = NonNullable<CompletedChat['usage']>;
export type ChatAsset = CompletedChat['assets'][number];

/** One candidate reply, up to the last event applied. */
export interface ChatChoice {
  readonly index: number;
  readonly content: string;
  readonly reasoningContent: string;
  /** Why the model refused. Null if it did not. */
  readonly refusal: string | null;
  /** By `index`, with the arguments received so far. */
  readonly toolCalls: readonly ChatToolCall[];
  readonly finishReason: string | null;
}

export type ChatStatus = 'starting' | 'streaming' | 'completed' | 'canceled' | 'failed';

/** The complete state of a chat. Start from `emptyChat`. */
export interface ChatView {
  /** Id of the generation. Null until it is known, and if the chat was refused. */
  readonly id: string | null;
  readonly status: ChatStatus;
  /** `choices` contains every delta up to this one. -1 before the first event. */
  readonly sequence: number;
  readonly choices: readonly ChatChoice[];
  /** Content of the first choice. */
  readonly text: string;
  /** Reasoning of the first choice. */
  readonly reasoning: string;
  /** Refusal of the first choice. */
  readonly refusal: string | null;
  /** Tool calls of the first choice. */
  readonly toolCalls: readonly ChatToolCall[];
  /** Finish reason of the first choice. */
  readonly finishReason: string | null;
  /** As reported by the gateway, at the end. */
  readonly usage: ChatUsage | null;
  /** The images of the reply, at the end. */
  readonly assets: readonly ChatAsset[];
  /** Of a chat that failed. Everything received before is kept. */
  readonly error: GengraphProblem | null;
  /** The problems of an input that breaks a limit. */
  readonly issues: readonly InputIssue[];
  readonly isEnded: boolean;
  /** An event was missed. Subscribe again without `after`: the snapshot restores the full state. */
  readonly isBroken: boolean;
}

const noText = { text: '', reasoning: '', refusal: null, toolCalls: [], finishReason: null } as const;

export const emptyChat: ChatView = {
  id: null,
  status: 'starting',
  sequence: -1,
  choices: [],
  ...noText,
  usage: null,
  assets: [],
  error: null,
  issues: [],
  isEnded: false,
  isBroken: false,
};

/**
 * Applies one event of `chatEvents` (or of `streamChat` with the same selection). Events of several subscriptions to one chat
 * may be mixed: duplicates are dropped, and a gap sets `isBroken`.
 */
export function applyChatEvent(view: ChatView, event: ChatEvent): ChatView {
  switch (event.__typename) {
    case 'ChatSnapshot': {
      if (event.sequence < view.sequence) return view;
      // A reply so far is a delta to nothing.
      const parts = event.soFar.choices.map(({ message, ...choice }) => ({ ...choice, ...message }));
      const choices = parts.reduce(appendDelta, []);
      return { ...withChoices(view, event, choices), isBroken: false };
    }
    case 'ChatDelta':
      if (event.sequence <= view.sequence) return view;
      if (event.fromSequence !== view.sequence + 1) return { ...view, isBroken: true };
      return withChoices(view, event, event.choices.reduce(appendDelta, view.choices));
    case 'ChatCompleted':
      return endView(view, event, 'completed');
    case 'ChatCanceled':
      return endView(view, event, 'canceled');
    case 'ChatFailed':
      return endView(failChat(view, event.error), event, 'failed');
    default:
      // Of a newer server.
      return view;
  }
}

/** The view of a chat that failed before or without an event. */
export function failChat(view: ChatView, error: GengraphProblem): ChatView {
  return { ...view, status: 'failed', error, issues: error.issues ?? [], isEnded: true };
}

/** What final events have, each some of it. */
interface EndEvent extends Position {
  readonly generation?: Partial<CompletedChat> | null;
}

function endView(
  view: ChatView,
  { generationId, sequence, generation }: EndEvent,
  status: ChatStatus,
): ChatView {
  return {
    ...view,
    id: generationId ?? view.id,
    status,
    usage: generation?.usage ?? null,
    assets: generation?.assets ?? [],
    isEnded: true,
    isBroken: view.isBroken || sequence > Math.max(0, view.sequence),
  };
}

type Position = Pick<ChatEvent, 'generationId' | 'sequence'>;

function withChoices(view: ChatView, event: Position, choices: readonly ChatChoice[]): ChatView {
  const [first] = choices;
  return {
    ...view,
    id: event.generationId ?? view.id,
    status: view.isEnded ? view.status : 'streaming',
    sequence: event.sequence,
    choices,
    ...(first && {
      text: first.content,
      reasoning: first.reasoningContent,
      refusal: first.refusal,
      toolCalls: first.toolCalls,
      finishReason: first.finishReason,
    }),
  };
}

type ChoiceDelta = Extract<ChatEvent, { __typename: 'ChatDelta' }>['choices'][number];

function appendDelta(choices: readonly ChatChoice[], delta: ChoiceDelta): readonly ChatChoice[] {
  return replace(choices, delta, (known) => ({
    index: delta.index,
    content: (known?.content ?? '') + (delta.content ?? ''),
    reasoningContent: (known?.reasoningContent ?? '') + (delta.reasoningContent ?? ''),
    refusal: join(known?.refusal, delta.refusal),
    toolCalls: (delta.toolCalls ?? []).reduce(appendCall, known?.toolCalls ?? []),
    finishReason: delta.finishReason ?? known?.finishReason ?? null,
  }));
}

function appendCall(calls: readonly ChatToolCall[], part: ChatToolCall): readonly ChatToolCall[] {
  return replace(calls, part, (known) => ({
    index: part.index,
    id: known?.id ?? part.id,
    name: known?.name ?? part.name,
    arguments: join(known?.arguments, part.arguments),
  }));
}

interface Indexed {
  readonly index: number;
}

/** The list with what becomes of the item with this index, in order. */
function replace<Item extends Indexed>(
  items: readonly Item[],
  { index }: Indexed,
  change: (known: Item | undefined) => Item,
): readonly Item[] {
  const known = items.find((item) => item.index === index);
  return [...items.filter((item) => item !== known), change(known)].sort((a, b) => a.index - b.index);
}

function join(text: string | null | undefined, addition: string | null): string | null {
  return addition === null ? (text ?? null) : (text ?? '') + addition;
}

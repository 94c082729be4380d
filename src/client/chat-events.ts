import type { ChatEventsSubscription } from './documents.generated.ts';

export type ChatEvent = ChatEventsSubscription['chatEvents'];

/** One candidate reply, up to the last event applied. */
export interface ChatText {
  readonly index: number;
  readonly content: string;
  readonly reasoningContent: string;
  readonly finishReason: string | null;
}

/** Client-side state of a chat. Start from `emptyChat`. */
export interface ChatView {
  /** `choices` contains every delta up to this one. -1 before the first event. */
  readonly sequence: number;
  readonly choices: readonly ChatText[];
  readonly isEnded: boolean;
  /** An event was missed. Subscribe again without `after`: the snapshot restores the full state. */
  readonly isBroken: boolean;
}

export const emptyChat: ChatView = { sequence: -1, choices: [], isEnded: false, isBroken: false };

/**
 * Applies one event of `chatEvents` (or of `streamChat` with the same selection). Events of several subscriptions to one chat
 * may be mixed: duplicates are dropped, and a gap sets `isBroken`.
 */
export function applyChatEvent(view: ChatView, event: ChatEvent): ChatView {
  switch (event.__typename) {
    case 'ChatSnapshot': {
      if (event.sequence < view.sequence) return view;
      const choices = event.soFar.choices.map(({ index, message, finishReason }) => ({
        index,
        content: message.content ?? '',
        reasoningContent: message.reasoningContent ?? '',
        finishReason,
      }));
      return { ...view, sequence: event.sequence, choices, isBroken: false };
    }
    case 'ChatDelta': {
      if (event.sequence <= view.sequence) return view;
      if (event.fromSequence !== view.sequence + 1) return { ...view, isBroken: true };
      return { ...view, sequence: event.sequence, choices: event.choices.reduce(appendDelta, view.choices) };
    }
    default:
      return {
        ...view,
        isEnded: true,
        isBroken: view.isBroken || event.sequence > Math.max(0, view.sequence),
      };
  }
}

type ChoiceDelta = Extract<ChatEvent, { __typename: 'ChatDelta' }>['choices'][number];

function appendDelta(choices: readonly ChatText[], delta: ChoiceDelta): readonly ChatText[] {
  const known = choices.find(({ index }) => index === delta.index);
  const base = known ?? { index: delta.index, content: '', reasoningContent: '', finishReason: null };
  const appended: ChatText = {
    index: base.index,
    content: base.content + (delta.content ?? ''),
    reasoningContent: base.reasoningContent + (delta.reasoningContent ?? ''),
    finishReason: delta.finishReason ?? base.finishReason,
  };
  return [...choices.filter((choice) => choice !== known), appended].toSorted((a, b) => a.index - b.index);
}

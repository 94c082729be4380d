import type { ReconnectingClient } from './reconnecting.ts';
import { applyChatEvent, type ChatEvent, type ChatView, emptyChat, failChat } from './chat-events.ts';
import { type ClientParts, type CreateRun, createRun } from './create-run.ts';
import { watch } from './operate.ts';
import type { RequestDescription } from './request.ts';
import { chatEventsText, startChatText } from './sent-texts.ts';
import { createViews, type ViewSink } from './views.ts';

export type Chat = CreateRun<ChatView>;

export function createChat(parts: ClientParts, description: RequestDescription): Chat {
  return createRun({
    parts,
    description,
    empty: emptyChat,
    fail: failChat,
    load: () => ({ text: startChatText, follow: ({ id }, sink) => follow(parts.client, id, sink) }),
  });
}

/** Follows a chat that exists. It never starts one and costs nothing. */
export function followChat(
  client: ReconnectingClient,
  id: string,
  signal?: AbortSignal,
): AsyncIterableIterator<ChatView, undefined> {
  return createViews((sink) => follow(client, id, sink), signal);
}

function follow(client: ReconnectingClient, id: string, sink: ViewSink<ChatView>): () => void {
  let view: ChatView = { ...emptyChat, id };
  return watch<ChatEvent>({
    client,
    operation: { query: chatEventsText, variables: { id } },
    apply(event) {
      const next = applyChatEvent(view, event);
      if (next.isBroken) return 'gap';
      const isNew = next.sequence > view.sequence;
      view = next;
      if (view.isEnded) {
        sink.end(view);
        return 'end';
      }
      if (!isNew) return 'known';
      sink.push(view);
      return 'new';
    },
    fail: (problem) => sink.end(failChat(view, problem)),
  });
}

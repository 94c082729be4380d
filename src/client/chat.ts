import type { Client } from 'graphql-ws';
import { applyChatEvent, type ChatEvent, type ChatView, emptyChat, failChat } from './chat-events.ts';
import { type CreateRun, createRun } from './create-run.ts';
import type { ChatInput } from './documents.generated.ts';
import { watch } from './operate.ts';
import type { RequestKeys } from './request-keys.ts';
import { type CreateOptions, toRequest } from './request.ts';
import { chatEventsText, startChatText } from './sent-texts.ts';
import { createViews, type ViewSink } from './views.ts';

export type Chat = CreateRun<ChatView>;

export interface ClientParts {
  readonly client: Client;
  readonly keys: RequestKeys;
}

export function createChat({ client, keys }: ClientParts, input: ChatInput, options: CreateOptions): Chat {
  const request = toRequest(keys, { operation: 'chat', input, ...options });
  const { key: idempotencyKey, collection } = request;
  return createRun({
    client,
    request,
    operation: { query: startChatText, variables: { input, idempotencyKey, collection } },
    signal: options.signal,
    fail: (problem) => failChat(emptyChat, problem),
    follow: ({ id }: { readonly id: string }, sink) =>
      follow(client, id, {
        push: sink.push,
        end(view) {
          request.settle(view.error);
          sink.end(view);
        },
      }),
  });
}

/** Follows a chat that exists. It never starts one and costs nothing. */
export function followChat(
  client: Client,
  id: string,
  signal?: AbortSignal,
): AsyncIterableIterator<ChatView, undefined> {
  return createViews((sink) => follow(client, id, sink), signal);
}

function follow(client: Client, id: string, sink: ViewSink<ChatView>): () => void {
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
      if (isNew) sink.push(view);
      return isNew ? 'new' : 'known';
    },
    fail: (problem) => sink.end(failChat(view, problem)),
  });
}

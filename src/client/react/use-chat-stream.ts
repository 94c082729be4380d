import { useMemo } from 'react';
import { emptyChat } from '../chat-events.ts';
import type { Chat, ChatInput, ChatView, CreateOptions, Gengraph } from '../gengraph.ts';
import { nameOf } from '../request-keys.ts';
import { useContentKey, useGengraph, useStore, useWith } from './context.ts';
import { createViewStore, isEnded } from './view-store.ts';

export type ChatStreamOptions = Pick<CreateOptions, 'id' | 'attempt' | 'collection'>;

export interface ChatStream extends ChatView {
  /** Cancels the chat at the gateway. @returns what was kept. If that fails: the chat as it is shown, with why as `error` */
  stop(): Promise<ChatView>;
  /** Sends the request again under the same key, as `error.retry` allows with SAFE, LATER and SAME_KEY. It never charges twice. */
  retry(): void;
}

/**
 * Sends a chat and streams its reply, or follows the chat with this id. Null: none yet.
 *
 * The request is sent when the component is shown. The same input, with the same `id` and `attempt`, is the same generation:
 * in another render, in StrictMode, after a reload, and when the component is shown again later. For another reply to the same
 * input, raise `attempt`. To unmount only stops watching.
 */
export function useChatStream(
  request: ChatInput | string | null | undefined,
  { id, attempt, collection }: ChatStreamOptions = {},
): ChatStream {
  const gengraph = useGengraph();
  const key = useContentKey(request);
  const { store, actions } = useMemo(
    // Another object with the same content is the same request.
    () => createChatStore(gengraph, request, { id, attempt, collection }),
    [gengraph, key, id, attempt, collection],
  );
  return useWith(useStore(store), actions);
}

function createChatStore(
  gengraph: Gengraph,
  request: ChatInput | string | null | undefined,
  options: ChatStreamOptions,
) {
  const source = toSource(gengraph, request, options);
  const store = createViewStore<ChatView>(emptyChat, source?.open, isEnded);
  const actions = {
    stop: () => source?.stop(store.read()) ?? Promise.resolve(emptyChat),
    retry: store.restart,
  };
  return { store, actions };
}

interface Source {
  open(): AsyncIterable<ChatView>;
  /** Gets the chat as it is shown. */
  stop(shown: ChatView): Promise<ChatView>;
}

function toSource(
  gengraph: Gengraph,
  request: ChatInput | string | null | undefined,
  { id, attempt, collection }: ChatStreamOptions,
): Source | undefined {
  if (request === null || request === undefined) return undefined;
  if (typeof request === 'string') {
    return {
      open: () => gengraph.follow(request),
      async stop(shown) {
        const { problem } = await gengraph.stop(request);
        let last: ChatView = { ...shown, id: request, error: problem ?? null };
        if (problem) return last;
        for await (const view of gengraph.follow(request)) last = view;
        return last;
      },
    };
  }
  let chat: Chat | undefined;
  const send = (): Chat =>
    (chat ??= gengraph.chat(request, {
      // A name keeps its key after the end: a component that is shown again must not pay again.
      id: id ?? nameOf('content', request),
      attempt,
      collection,
    }));
  return { open: send, stop: () => send().stop() };
}

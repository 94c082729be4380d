import type { ChatView } from '../chat-events.ts';
import type { Chat } from '../chat.ts';
import type { ChatInput } from '../documents.generated.ts';
import type { Gengraph } from '../gengraph.ts';
import { type GengraphProblem, isRepeatable } from '../problem.ts';
import { toEntries } from './entries.ts';
import type { ChatMemory } from './memory.ts';
import type { GengraphMessage } from './message.ts';
import type { PreparedChat } from './prepare.ts';
import type { RequestName } from './requests.ts';
import { toAssetFile, toReplyParts } from './to-messages.ts';

export interface SentChatOptions extends PreparedChat, RequestName {
  readonly chatId: string;
}

/** A chat that this page sends. The storage has what a reload needs to send it again with the same key, or to find it. */
export class SentChat {
  readonly #gengraph: Gengraph;
  readonly #memory: ChatMemory;
  readonly #options: SentChatOptions;
  #chat: Chat | undefined;

  constructor(gengraph: Gengraph, memory: ChatMemory, options: SentChatOptions) {
    this.#gengraph = gengraph;
    this.#memory = memory;
    this.#options = options;
  }

  async *watch(signal?: AbortSignal): AsyncGenerator<ChatView, void> {
    const { name, input, whole } = this.#options;
    const { watched } = this.#memory;
    watched.set(name, (watched.get(name) ?? 0) + 1);
    try {
      for await (const view of this.#send(this.#findSentInput() ?? input, signal)) {
        if (input === whole || !isNotContinuable(view)) yield view;
        // The refused continuation has left the key free.
        else yield* this.#send(whole, signal);
      }
    } finally {
      watched.set(name, (watched.get(name) ?? 1) - 1);
    }
  }

  async stop(): Promise<void> {
    const view = await this.#chat?.stop();
    if (view && view.id !== null) this.#end(view);
    this.#memory.requests.close(this.#options.chatId, view?.id);
  }

  async *#send(input: ChatInput, signal: AbortSignal | undefined): AsyncGenerator<ChatView, void> {
    const { chatId, name, attempt } = this.#options;
    const { requests } = this.#memory;
    requests.setOpen(chatId, { name, attempt, input, sentAt: Date.now() });
    this.#chat = this.#gengraph.chat(input, {
      id: name,
      attempt,
      collection: chatId,
      signal,
    });
    let generationId: string | undefined;
    for await (const view of this.#chat) {
      if (view.id !== null && generationId === undefined) {
        generationId = view.id;
        requests.note({ name, attempt }, { generationId });
        requests.setOpen(chatId, { generationId });
      }
      if (view.isEnded) this.#end(view);
      yield view;
    }
  }

  /** An attempt is sent again as it was sent first: its key stands for that input. */
  #findSentInput(): ChatInput | undefined {
    const { chatId, name, attempt } = this.#options;
    const open = this.#memory.requests.findOpen(chatId);
    return open && 'input' in open && open.name === name && open.attempt === attempt ? open.input : undefined;
  }

  #end(view: ChatView): void {
    const { chatId, name, attempt, entries } = this.#options;
    const { requests, recorded } = this.#memory;
    const { status, id, error } = view;
    if (status === 'completed' || status === 'canceled') requests.note({ name, attempt }, { end: status });
    // The user who tries again has seen the advice.
    if (id === null && error?.retry === 'MAY_CHARGE_AGAIN')
      requests.note({ name, attempt }, { end: 'failed' });
    if (status === 'completed' && entries.length > 0)
      recorded.set(chatId, [...entries, ...toEntries([toMessage(view)], 'all')]);
    if (!error || !isOpen(view, error)) requests.close(chatId, id);
  }
}

/** Whether the outcome is not known, or the same request may succeed. */
function isOpen({ id }: ChatView, problem: GengraphProblem): boolean {
  return problem.code === 'CONNECTION_FAILED' || (id === null && isRepeatable(problem));
}

/** The record of an earlier turn was removed, is incomplete or too large. */
function isNotContinuable({ id, error }: ChatView): boolean {
  if (id !== null || !error) return false;
  const isRefused = error.code === 'NOT_CONTINUABLE' && error.retry !== 'LATER';
  return isRefused || (error.issues ?? []).some(({ path }) => path.includes('continueFrom'));
}

/** A complete reply, as the record has it. */
function toMessage(view: ChatView): GengraphMessage {
  const generationId = view.id ?? '';
  const { text: content, reasoning: reasoningContent, refusal, toolCalls } = view;
  const reply = { content, reasoningContent, refusal, toolCalls, parts: null };
  return {
    id: generationId,
    role: 'assistant',
    metadata: { generationId, status: view.status },
    parts: [...toReplyParts(generationId, reply, true), ...view.assets.map(toAssetFile)],
  };
}

import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import type { ChatView } from '../chat-events.ts';
import type { Gengraph } from '../gengraph.ts';
import { type ReplyOptions, toChunks } from './chunks.ts';
import { toEntries } from './entries.ts';
import { findConversation, type FoundConversation } from './find-conversation.ts';
import { type ChatMemory, memoryOf } from './memory.ts';
import type { GengraphMessage } from './message.ts';
import { type ChatSettings, prepare } from './prepare.ts';
import { digestOf, type SentRequest } from './requests.ts';
import { SentChat } from './sent-chat.ts';
import { readSources } from './sources.ts';
import { toStream } from './stream.ts';
import { readRaw, readThread, type Turn } from './thread.ts';
import { findEnd, toMessages } from './to-messages.ts';

/** The members of `ChatInput` for each chat, such as `model` and `tools`. `body` of a request replaces them. */
export interface GengraphChatOptions extends ChatSettings {
  /** Sent before the messages, as a SYSTEM message. */
  readonly instructions?: string | undefined;
  /**
   * Whether sources that the gateway cites become `source-url` parts. It costs a read of each reply.
   * @default for models with web search: a `model` that ends in `-search`, or `webSearchOptions`
   */
  readonly sources?: boolean | undefined;
}

type SendOptions<Message extends UIMessage> = Parameters<ChatTransport<Message>['sendMessages']>[0];
type ReconnectOptions = Parameters<ChatTransport<UIMessage>['reconnectToStream']>[0];

/**
 * The transport of `useChat`, without a back end of your own. The id of a chat is the collection of its generations. Transports of
 * one `gengraph` share what they know.
 */
export class GengraphChatTransport<
  Message extends UIMessage = GengraphMessage,
> implements ChatTransport<Message> {
  readonly resumeStreamIsReplay = true;
  readonly #gengraph: Gengraph;
  readonly #options: GengraphChatOptions;
  readonly #memory: ChatMemory;

  constructor(gengraph: Gengraph, options: GengraphChatOptions) {
    this.#gengraph = gengraph;
    this.#options = options;
    this.#memory = memoryOf(gengraph);
  }

  /**
   * The messages of a chat as recorded, on the branch of the newest turn, for `messages` of `useChat`. A running reply is
   * included as far as it is; `resume: true` completes it.
   */
  async loadMessages(chatId: string): Promise<Message[]> {
    const { recorded } = this.#memory;
    const { turns, open } = await this.#find(chatId, this.#wantsSources());
    const messages: UIMessage[] = toMessages(turns);
    if (!open) recorded.set(chatId, toEntries(messages, 'all'));
    if (this.#options.instructions && messages[0]?.role === 'system') messages.shift();
    // The caller names the type of what this class and its own tools have made.
    return messages as Message[];
  }

  async sendMessages({
    trigger,
    chatId,
    messages,
    abortSignal,
    body,
  }: SendOptions<Message>): Promise<ReadableStream<UIMessageChunk>> {
    const { requests, watched } = this.#memory;
    const last = messages.at(-1);
    const continued = last?.role === 'assistant' ? last : undefined;
    const steps = continued?.parts.filter(({ type }) => type === 'step-start').length ?? 0;
    const name = `${chatId}:${last?.id ?? ''}:${steps}`;
    const isRunning = Boolean(watched.get(name));
    await this.#memory.stopped(chatId);
    const options = { ...this.#options, ...body };
    const { instructions, sources: _sources, ...settings } = options;
    const conversation = { chatId, messages, instructions, settings };
    const prepared = await prepare(this.#gengraph, this.#memory, conversation);
    const request =
      requests.findSent(chatId, prepared.input) ??
      (await requests.begin({
        name,
        digest: digestOf([prepared.entries.map(({ message }) => message), settings]),
        isRunning,
        isRegeneration: trigger === 'regenerate-message',
        findEnd: async (id) => findEnd(await readThread(this.#gengraph, id, false)),
      }));
    abortSignal?.throwIfAborted();
    const chat = new SentChat(this.#gengraph, this.#memory, { ...prepared, ...request, chatId });
    return this.#toStream({
      chatId,
      abortSignal,
      chat,
      reply: { continued },
      wantsSources: this.#wantsSources(options),
    });
  }

  async reconnectToStream({
    chatId,
    abortSignal,
    body,
  }: ReconnectOptions): Promise<ReadableStream<UIMessageChunk> | null> {
    this.#memory.preventStop(chatId);
    const { turns, open } = await this.#find(chatId, false);
    if (!open || abortSignal?.aborted) return null;
    const last = toMessages(
      turns.map((turn, index) => (index === turns.length - 1 ? withoutReply(turn) : turn)),
    ).at(-1);
    const continued = last?.role === 'assistant' ? last : undefined;
    const chat = open.sent ? this.#sendAgain(chatId, open.sent) : this.#follow(chatId, open.id);
    return this.#toStream({
      chatId,
      abortSignal,
      chat,
      reply: { continued, ...(continued && { replayed: continued.parts }) },
      wantsSources: this.#wantsSources({ ...this.#options, ...body }),
    });
  }

  #find(chatId: string, withRaw: boolean): Promise<FoundConversation> {
    return findConversation(this.#gengraph, { chatId, requests: this.#memory.requests, withRaw });
  }

  /** With the same key. */
  #sendAgain(chatId: string, { name, attempt, input }: SentRequest): WatchableChat {
    const options = { chatId, name, attempt, input, whole: input, entries: [] };
    return new SentChat(this.#gengraph, this.#memory, options);
  }

  #follow(chatId: string, id: string): WatchableChat {
    const gengraph = this.#gengraph;
    const { requests } = this.#memory;
    return {
      async *watch(signal) {
        for await (const view of gengraph.follow(id, { signal })) {
          if (view.isEnded && view.error?.code !== 'CONNECTION_FAILED') requests.close(chatId, id);
          yield view;
        }
      },
      async stop() {
        await gengraph.stop(id);
        requests.close(chatId, id);
      },
    };
  }

  #wantsSources({ sources, model, webSearchOptions }: GengraphChatOptions = this.#options): boolean {
    return sources ?? (model.endsWith('-search') || Boolean(webSearchOptions));
  }

  #toStream({ chatId, abortSignal, chat, reply, wantsSources }: StreamedChat) {
    const toSources = async ({ id }: ChatView): Promise<readonly UIMessageChunk[]> =>
      wantsSources && id !== null ? readSources(await readRaw(this.#gengraph, id).catch(() => {})) : [];
    return toStream({
      open: (signal) => toChunks(chat.watch(signal), { ...reply, toSources }),
      abortSignal,
      stop: () => this.#memory.stop(chatId, () => chat.stop()),
    });
  }
}

interface WatchableChat {
  watch(signal: AbortSignal): AsyncIterable<ChatView>;
  stop(): Promise<void>;
}

interface StreamedChat {
  readonly chatId: string;
  readonly abortSignal: AbortSignal | undefined;
  readonly chat: WatchableChat;
  readonly reply: Omit<ReplyOptions, 'toSources'>;
  readonly wantsSources: boolean;
}

function withoutReply(turn: Turn): Turn {
  return { ...turn, output: { ...turn.output, choices: [] } };
}

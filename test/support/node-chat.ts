import { AbstractChat, type ChatInit, type ChatState, type ChatStatus } from 'ai';
import { onTestFinished } from 'vitest';
import {
  type GengraphChatOptions,
  GengraphChatTransport,
  type GengraphMessage,
} from '../../src/client/ai-sdk/index.ts';
import { createGengraph, type Gengraph, type KeyStorage } from '../../src/client/gengraph.ts';

/** The chat of the AI SDK without a framework. */
export class NodeChat extends AbstractChat<GengraphMessage> {
  constructor({ messages = [], ...init }: ChatInit<GengraphMessage>) {
    super({ ...init, state: new NodeChatState(messages) });
  }

  /** The text of the last message. */
  get reply(): string {
    const { parts = [] } = this.messages.at(-1) ?? {};
    return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }
}

class NodeChatState implements ChatState<GengraphMessage> {
  status: ChatStatus = 'ready';
  error: Error | undefined;
  messages: GengraphMessage[];

  constructor(messages: GengraphMessage[]) {
    this.messages = messages;
  }

  pushMessage = (message: GengraphMessage): void => void (this.messages = [...this.messages, message]);
  popMessage = (): void => void (this.messages = this.messages.slice(0, -1));
  replaceMessage = (index: number, message: GengraphMessage): void =>
    void (this.messages = this.messages.with(index, this.snapshot(message)));
  snapshot = <Value>(value: Value): Value => structuredClone(value);
}

/** A page's session storage. */
function createStorage(): KeyStorage {
  const items = new Map<string, string>();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  };
}

export interface ChatPage {
  readonly gengraph: Gengraph;
  readonly transport: GengraphChatTransport;
  /** Starts the chat of the page with the recorded messages. */
  load(init?: ChatInit<GengraphMessage>): Promise<NodeChat>;
  /** Starts it without. */
  start(init?: ChatInit<GengraphMessage>): NodeChat;
  /** The same tab after a reload. */
  reload(): Promise<ChatPage>;
}

export interface ChatPageOptions extends Partial<GengraphChatOptions> {
  readonly storage?: KeyStorage;
}

/** A page with the transport. Its chat has the id `trip`. */
export function openChatPage(
  url: string,
  { storage = createStorage(), ...options }: ChatPageOptions = {},
): ChatPage {
  const gengraph = createGengraph({ url, credential: 'sk-sandbox', storage });
  onTestFinished(() => gengraph.dispose());
  const transport = new GengraphChatTransport(gengraph, { model: 'gpt-4o', ...options });
  const start = (init: ChatInit<GengraphMessage> = {}): NodeChat =>
    new NodeChat({ id: 'trip', transport, ...init });
  return {
    gengraph,
    transport,
    start,
    load: async (init) => start({ messages: await transport.loadMessages('trip'), ...init }),
    async reload() {
      await gengraph.dispose();
      return openChatPage(url, { storage, ...options });
    },
  };
}

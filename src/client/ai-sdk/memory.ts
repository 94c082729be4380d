import type { Gengraph } from '../gengraph.ts';
import type { Entry } from './entries.ts';
import { ChatRequests } from './requests.ts';

/** What the transports of one client know together: a page may make a transport at each rendering. */
export class ChatMemory {
  readonly requests: ChatRequests;
  /** The recorded conversation of each chat, as last seen. */
  readonly recorded = new Map<string, readonly Entry[]>();
  /** The names of requests that a page watches. */
  readonly watched = new Map<string, number>();
  readonly #stops = new Map<string, Stop>();

  constructor(gengraph: Gengraph) {
    this.requests = new ChatRequests(gengraph);
  }

  /** Stops unless the chat is watched again at once, as `resumeStream` does when it replaces a stream. */
  stop(chatId: string, stop: () => Promise<unknown>): void {
    let finish = (): void => {};
    const ended = new Promise<void>((resolve) => (finish = resolve));
    const timer = setTimeout(() => void stop().then(finish, finish));
    const entry: Stop = {
      ended,
      prevent() {
        clearTimeout(timer);
        finish();
      },
    };
    this.#stops.set(chatId, entry);
    void ended.then(() => {
      if (this.#stops.get(chatId) === entry) this.#stops.delete(chatId);
    });
  }

  /** Does nothing once the stop was sent. */
  preventStop(chatId: string): void {
    this.#stops.get(chatId)?.prevent();
  }

  /** A stopped reply can be continued after its end. */
  async stopped(chatId: string): Promise<void> {
    await this.#stops.get(chatId)?.ended;
  }
}

interface Stop {
  readonly ended: Promise<void>;
  prevent(): void;
}

const memories = new WeakMap<Gengraph, ChatMemory>();

export function memoryOf(gengraph: Gengraph): ChatMemory {
  const memory = memories.get(gengraph) ?? new ChatMemory(gengraph);
  memories.set(gengraph, memory);
  return memory;
}

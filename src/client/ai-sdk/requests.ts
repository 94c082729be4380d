import type { ChatInput } from '../documents.generated.ts';
import type { Gengraph } from '../gengraph.ts';
import { nameOf } from '../request-keys.ts';

/** A request of `useChat`: its name and the attempt make its idempotency key. */
export interface RequestName {
  /** Chat, last message and step. */
  readonly name: string;
  /** Counts regenerations. */
  readonly attempt: number;
}

/** What is known of the latest attempt of a request. */
interface KnownRequest {
  readonly attempt: number;
  /** Of the whole conversation and its settings. An edited message is another request. */
  readonly digest: string;
  readonly generationId?: string;
  /** How it ended, if that was seen. */
  readonly end?: 'completed' | 'canceled' | 'failed';
}

/** The request of a chat that has not ended, such as before a reload. */
export type OpenRequest = SentRequest | StartedRequest;

/** The outcome is not known yet: it is sent again with the same key. */
export interface SentRequest extends RequestName {
  readonly input: ChatInput;
  /** Time in milliseconds since 1970. */
  readonly sentAt: number;
}

export interface StartedRequest {
  readonly generationId: string;
}

export interface Attempt {
  readonly name: string;
  readonly digest: string;
  /** Whether this page watched the latest attempt when the user asked. */
  readonly isRunning: boolean;
  readonly isRegeneration: boolean;
  /** How the chat ended. Undefined if it runs. */
  readonly findEnd: (generationId: string) => Promise<KnownRequest['end']>;
}

/** A page that comes back later does not send what it could not send before. */
const maxUnsentMs = 3_600_000;

/** The requests of `useChat`, in the storage of the keys. */
export class ChatRequests {
  readonly #storage: Gengraph['storage'];

  constructor({ storage }: Gengraph) {
    this.#storage = storage;
  }

  /** Counts the attempt. A double click and a retry of what has not ended are the same attempt. */
  async begin({ name, digest, isRunning, isRegeneration, findEnd }: Attempt): Promise<RequestName> {
    const known = this.#findKnown(name);
    const attempt = known?.attempt ?? 0;
    const isNext =
      known &&
      (known.digest !== digest ||
        (!isRunning &&
          isSpent(known.end ?? (known.generationId && (await findEnd(known.generationId))), isRegeneration)));
    if (!isNext) {
      this.#write(nameOfRequest(name), { ...known, attempt, digest });
      return { name, attempt };
    }
    this.#write(nameOfRequest(name), { attempt: attempt + 1, digest });
    return { name, attempt: attempt + 1 };
  }

  /** Records what became of an attempt, unless a later one has begun. */
  note({ name, attempt }: RequestName, news: Pick<KnownRequest, 'generationId' | 'end'>): void {
    const known = this.#findKnown(name);
    if (known?.attempt === attempt) this.#write(nameOfRequest(name), { ...known, ...news });
  }

  findOpen(chatId: string): OpenRequest | undefined {
    const open = this.#read(nameOfChat(chatId)) as OpenRequest | undefined; // As written.
    return open && 'sentAt' in open && Date.now() - open.sentAt > maxUnsentMs ? undefined : open;
  }

  /** The request that has sent this input and has no known outcome, such as before a reload that has changed ids. */
  findSent(chatId: string, input: ChatInput): RequestName | undefined {
    const open = this.findOpen(chatId);
    if (!open || !('input' in open) || JSON.stringify(open.input) !== JSON.stringify(input)) return undefined;
    return { name: open.name, attempt: open.attempt };
  }

  setOpen(chatId: string, open: OpenRequest): void {
    this.#write(nameOfChat(chatId), open);
  }

  /** For what was read from the record, unless the page has sent another request meanwhile. */
  replaceOpen(chatId: string, known: OpenRequest | undefined, next: OpenRequest | undefined): void {
    if (JSON.stringify(this.findOpen(chatId)) !== JSON.stringify(known)) return;
    if (next) this.setOpen(chatId, next);
    else this.close(chatId);
  }

  /** With a generation: only if that is the open one. */
  close(chatId: string, generationId?: string | null): void {
    const open = this.findOpen(chatId);
    const isOther = generationId && open && 'generationId' in open && open.generationId !== generationId;
    if (!isOther) this.#storage.removeItem(nameOfChat(chatId));
  }

  #findKnown(name: string): KnownRequest | undefined {
    return this.#read(nameOfRequest(name)) as KnownRequest | undefined; // As written.
  }

  #read(name: string): unknown {
    const text = this.#storage.getItem(name);
    return text === null ? undefined : JSON.parse(text);
  }

  #write(name: string, value: KnownRequest | OpenRequest): void {
    this.#storage.setItem(name, JSON.stringify(value));
  }
}

/** Whether the next request with the same messages is another generation. */
function isSpent(end: KnownRequest['end'] | '', isRegeneration: boolean): boolean {
  return end === 'completed' ? isRegeneration : end === 'canceled' || end === 'failed';
}

function nameOfRequest(name: string): string {
  return `request:${name}`;
}

function nameOfChat(chatId: string): string {
  return `open:${chatId}`;
}

export function digestOf(conversation: unknown): string {
  return nameOf('chat', conversation);
}

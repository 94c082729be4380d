import type { Client } from 'graphql-ws';
import { emptyGeneration } from './empty-generation.ts';
import { type Chat, createChat, followChat } from './chat.ts';
import type { ChatView } from './chat-events.ts';
import { cancel, type StoppedGeneration } from './cancel.ts';
import type { Connection } from './connection.ts';
import type { Credential } from './credential.ts';
import type { ChatInput, GenerationFilter } from './documents.generated.ts';
import type { GenerateInputs } from './creates.generated.ts';
import type { GenerateField, GenerationRun } from './generate.ts';
import { type Operation, type Outcome, run } from './operate.ts';
import { type GenerationItem, type GenerationView } from './generation-view.ts';
import type { Feed, FeedOptions } from './feed-view.ts';
import { loadFeed } from './load-feed.ts';
import { loadGeneration } from './load-generation.ts';
import { loadViews } from './load.ts';
import { toProblem } from './problem.ts';
import { createReconnectingClient } from './reconnecting.ts';
import type { CreateOptions } from './request.ts';
import { createStorage, type KeyStorage } from './request-keys.ts';

export { addressOf } from './address-of.ts';
export { applyChatEvent, emptyChat } from './chat-events.ts';
export type {
  ChatAsset,
  ChatChoice,
  ChatEvent,
  ChatStatus,
  ChatToolCall,
  ChatUsage,
  ChatView,
} from './chat-events.ts';
export type { Chat } from './chat.ts';
export type { StoppedGeneration } from './cancel.ts';
export type { Connection, ConnectionState, ConnectionStatus } from './connection.ts';
export type { Credential, CredentialValue } from './credential.ts';
export type { ChatInput, GenerationFilter } from './documents.generated.ts';
export type { Feed, FeedOptions, FeedView } from './feed-view.ts';
export { addFeedPage, applyFeedEvent, toFeedList } from './feed-list.ts';
export type { FeedEvent, FeedItem, FeedList, FeedPage } from './feed-list.ts';
export type { GenerateInputs } from './creates.generated.ts';
export type { GenerateField, GenerationRun } from './generate.ts';
export type { GeneratedAsset, GenerationItem, GenerationView } from './generation-view.ts';
export type { Operation, Outcome } from './operate.ts';
export { type GengraphProblem, type InputIssue, isRepeatable } from './problem.ts';
export type { CreateOptions } from './request.ts';
export { createStorage, type KeyStorage } from './request-keys.ts';

export interface GengraphOptions {
  /** The GraphQL endpoint: `https://…/graphql`, `wss://…/graphql`, or in a page a path such as `/graphql`. */
  readonly url: string;
  /** A value, or a function that returns the current one. */
  readonly credential?: Credential;
  /** Where the keys of requests live. @default sessionStorage in a page, else memory */
  readonly storage?: KeyStorage | undefined;
  /** For runtimes without a global `WebSocket`. */
  readonly webSocketImpl?: unknown;
}

/** Every operation uses one WebSocket, which opens when it is needed and reconnects by itself. Errors are values. */
export interface Gengraph {
  readonly connection: Connection;
  /** The connection for operations of your own, as a client of graphql-ws. */
  readonly client: Client;
  /** Sends a chat when a loop over it begins. */
  chat(input: ChatInput, options?: CreateOptions): Chat;
  /** Follows a chat that exists, by the id of its generation. It costs nothing. */
  follow(
    id: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): AsyncIterableIterator<ChatView, undefined>;
  /** Runs any other create when a loop over it begins, and follows it to its end. */
  generate<Field extends GenerateField>(
    field: Field,
    input: GenerateInputs[Field],
    options?: CreateOptions,
  ): GenerationRun;
  /** Follows a generation of any kind that exists to its end, by its id. It costs nothing. */
  followGeneration(
    id: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): AsyncIterableIterator<GenerationView, undefined>;
  /** A list of generations, newest first, that follows all changes. */
  feed(filter?: GenerationFilter, options?: FeedOptions): Feed;
  /** Cancels a generation at the gateway. */
  stop(id: string): Promise<Outcome<StoppedGeneration>>;
  /** What has not ended, such as before a reload: chats, pictures, songs and videos, newest first. */
  running(collection?: string): Promise<Outcome<readonly GenerationItem[]>>;
  /** Runs a query or a mutation with one root field. It never rejects. */
  run<Value>(operation: Operation): Promise<Outcome<Value>>;
  /** Where keys live. It never throws. */
  readonly storage: KeyStorage;
  /** Closes the connection and ends all loops. Nothing stops at the gateway. */
  dispose(): Promise<void>;
}

export function createGengraph({ url, credential, webSocketImpl, ...options }: GengraphOptions): Gengraph {
  const client = createReconnectingClient({
    url: () => toSocketUrl(url),
    credential,
    webSocketImpl,
    // A page that goes from one operation to the next keeps its connection.
    lazyCloseTimeout: 3000,
  });
  const storage = createStorage(options.storage);
  const parts = { client, storage };
  return {
    connection: client.connection,
    client,
    chat: (input, options) => createChat(parts, { operation: 'chat', input, ...options }),
    follow: (id, { signal } = {}) => followChat(client, id, signal),
    generate: (field, input, options) => loadGeneration(parts, { operation: field, input, ...options }),
    stop: (id) => cancel(client, { id }),
    followGeneration: (id, { signal } = {}) =>
      loadViews(
        async () => {
          const { followKnown } = await import('./follow-generation.ts');
          return (sink) => followKnown(client, id, sink);
        },
        (error) => ({ ...emptyGeneration, id, error }),
        signal,
      ),
    feed: (filter, options) => loadFeed(client, filter, options),
    running: (collection) =>
      import('./running.ts').then(
        ({ findRunning }) => findRunning(client, collection),
        (cause: unknown) => ({ problem: toProblem(cause) }),
      ),
    run: (operation) => run(client, operation),
    storage,
    dispose: client.dispose,
  };
}

/** Only a page has a location. */
interface Page {
  readonly location?: { readonly href: string };
}

function toSocketUrl(url: string): string {
  // The location is read when a connection opens, not at import. The `URL` of React Native adds a slash.
  return (/^\w+:/.test(url) ? url : new URL(url, (globalThis as Page).location?.href).href).replace(
    /^http/,
    'ws',
  );
}

import type { Client } from 'graphql-ws';
import { cancel } from './cancel.ts';
import { applyChatEvent, type ChatEvent, type ChatView, emptyChat, failChat } from './chat-events.ts';
import type { ChatInput, StartChatMutation } from './documents.generated.ts';
import { run, watch } from './operate.ts';
import { type GengraphProblem, toProblem } from './problem.ts';
import type { RequestKeys } from './request-keys.ts';
import { type CreateOptions, type Request, toRequest } from './request.ts';
import { chatEventsText, startChatText } from './texts.generated.ts';
import { createViews, type ViewSink } from './views.ts';

/** A chat. Each loop over it gets the complete view after each change, until the chat ends. */
export interface Chat extends AsyncIterable<ChatView> {
  /** Idempotency key of the request. */
  readonly key: string;
  /** Cancels the chat at the gateway. To leave a loop only stops watching. @returns what was kept */
  stop(): Promise<ChatView>;
}

export interface ChatParts {
  readonly client: Client;
  readonly keys: RequestKeys;
}

/** Nothing is sent before the first loop begins. */
export function createChat({ client, keys }: ChatParts, input: ChatInput, options: CreateOptions): Chat {
  const request = toRequest(keys, { operation: 'chat', input, ...options });
  let starting: Promise<ChatView> | undefined;
  const start = (): Promise<ChatView> => {
    starting ??= startChat(client, input, request).then((view) => {
      // The next loop sends the same request again, with the key that is right then.
      if (view.error) starting = undefined;
      return view;
    });
    return starting;
  };
  return {
    key: request.key,
    [Symbol.asyncIterator]: () =>
      createViews<ChatView>((sink) => {
        let stopFollowing = (): void => {};
        let isLeft = false;
        void start().then((view) => {
          if (isLeft) return;
          stopFollowing = view.isEnded ? endWith(sink, view) : follow(client, view, { sink, request });
        });
        return () => {
          isLeft = true;
          stopFollowing();
        };
      }, options.signal),
    async stop() {
      const { problem, value } = await cancel(client, { idempotencyKey: request.key });
      // A start that is under way may not be known yet.
      const id = value?.id ?? (await starting)?.id;
      if (id === undefined || id === null) return failChat(emptyChat, problem ?? toProblem(undefined));
      if (value === undefined) await cancel(client, { id });
      return lastOf(followChat(client, id));
    },
  };
}

/** Follows a chat that exists. It never starts one and costs nothing. */
export function followChat(
  client: Client,
  id: string,
  signal?: AbortSignal,
): AsyncIterableIterator<ChatView, undefined> {
  return createViews((sink) => follow(client, { ...emptyChat, id }, { sink }), signal);
}

async function startChat(client: Client, input: ChatInput, request: Request): Promise<ChatView> {
  const { key: idempotencyKey, collection } = request;
  const { problem, value } = await run<NonNullable<StartChatMutation['startChat']>>(client, {
    query: startChatText,
    variables: { input, idempotencyKey, collection },
  });
  if (value?.__typename === 'Generation') return { ...emptyChat, id: value.id };
  const error: GengraphProblem = problem ?? value;
  request.settle(error);
  return failChat(emptyChat, error);
}

interface FollowOptions {
  readonly sink: ViewSink<ChatView>;
  readonly request?: Request;
}

function follow(client: Client, start: ChatView, { sink, request }: FollowOptions): () => void {
  let view = start;
  const finish = (): void => {
    request?.settle(view.error);
    sink.push(view);
    sink.end();
  };
  return watch<ChatEvent>({
    client,
    operation: { query: chatEventsText, variables: { id: view.id } },
    apply(event) {
      const next = applyChatEvent(view, event);
      if (next.isBroken) return 'gap';
      const isNew = next.sequence > view.sequence;
      view = next;
      if (!view.isEnded) {
        if (isNew) sink.push(view);
        return isNew ? 'new' : 'known';
      }
      finish();
      return 'end';
    },
    fail(problem) {
      view = failChat(view, problem);
      finish();
    },
  });
}

function endWith(sink: ViewSink<ChatView>, view: ChatView): () => void {
  sink.push(view);
  sink.end();
  return () => {};
}

async function lastOf(views: AsyncIterable<ChatView>): Promise<ChatView> {
  let last = emptyChat;
  for await (const view of views) last = view;
  return last;
}

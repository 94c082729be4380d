import type { Client as SseClient } from 'graphql-sse';
import type { Client as WsClient } from 'graphql-ws';
import type { ChatInput } from '../../src/client/documents.generated.ts';
import type { Api } from './app.ts';

// These types are written by hand, independent of the program's own types, as a client would write them.
export interface ToolCallPart {
  readonly index: number;
  readonly id: string | null;
  readonly name: string | null;
  readonly arguments: string | null;
}

export interface Text {
  readonly role: string | null;
  readonly content: string | null;
  readonly reasoningContent: string | null;
  readonly refusal: string | null;
  readonly toolCalls: readonly ToolCallPart[] | null;
  readonly functionCall: { readonly name: string | null; readonly arguments: string | null } | null;
}

export type ChoicePart = Text & { readonly index: number; readonly finishReason: string | null };

export interface Completion {
  readonly sequence: number;
  readonly model: string | null;
  readonly choices: readonly {
    readonly index: number;
    readonly message: Text;
    readonly finishReason: string | null;
  }[];
}

export interface Failure {
  readonly __typename: string;
  readonly code: string;
  readonly message: string;
  readonly httpStatus?: number | null;
  readonly retry: string;
  readonly upstreamCode?: string | null;
  readonly retryAfterSeconds?: number | null;
  readonly issues?: readonly {
    readonly path: readonly string[];
    readonly message: string;
    readonly limit: string | null;
    readonly received: string | null;
  }[];
  /** Present for a conflict or an unknown outcome. */
  readonly generation?: { readonly id: string; readonly status: string } | null;
}

export interface GenerationView {
  readonly __typename: 'Generation';
  readonly id: string;
  readonly status: string;
  readonly isTerminal: boolean;
  readonly isCancelable: boolean;
  readonly finishedAt: string | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly upstreamCode: string | null;
  } | null;
  readonly usage: {
    readonly promptTokens: number | null;
    readonly completionTokens: number | null;
    readonly totalTokens: number | null;
    readonly reasoningTokens: number | null;
  } | null;
  readonly output: Completion | null;
  readonly raw: unknown;
}

interface EventBase {
  readonly generationId: string | null;
  readonly sequence: number;
  readonly soFar: Completion;
}

export type ChatEvent = EventBase &
  (
    | { readonly __typename: 'ChatSnapshot' }
    | {
        readonly __typename: 'ChatDelta';
        readonly fromSequence: number;
        readonly choices: readonly ChoicePart[];
      }
    // Aliased: one document cannot select a nullable and a non-null field under the same name.
    | { readonly __typename: 'ChatCompleted' | 'ChatCanceled'; readonly ended: GenerationView }
    | {
        readonly __typename: 'ChatFailed';
        readonly error: Failure;
        readonly generation: GenerationView | null;
      }
  );

const wholeFragments = /* GraphQL */ `
  fragment Text on ChatMessage {
    role
    content
    reasoningContent
    refusal
    toolCalls {
      index
      id
      name
      arguments
    }
    functionCall {
      name
      arguments
    }
  }
  fragment Completion on ChatCompletion {
    sequence
    model
    choices {
      index
      finishReason
      message {
        ...Text
      }
    }
  }
  fragment Whole on Generation {
    __typename
    id
    status
    isTerminal
    isCancelable
    finishedAt
    error {
      code
      message
      upstreamCode
    }
    usage {
      promptTokens
      completionTokens
      totalTokens
      reasoningTokens
    }
    output {
      ... on ChatCompletion {
        ...Completion
      }
    }
    raw
  }
`;

const fragments = /* GraphQL */ `
  ${wholeFragments}
  fragment Failure on GengraphError {
    __typename
    code
    message
    retry
    ... on InvalidInputError {
      issues {
        path
        message
        limit
        received
      }
    }
    ... on GatewayError {
      httpStatus
      upstreamCode
      retryAfterSeconds
    }
    ... on AuthenticationError {
      upstreamCode
    }
    ... on QuotaError {
      upstreamCode
    }
    ... on RateLimitError {
      upstreamCode
      retryAfterSeconds
    }
    ... on IdempotencyConflictError {
      generation {
        id
        status
      }
    }
    ... on OutcomeUnknownError {
      generation {
        id
        status
      }
    }
  }
`;

const event = /* GraphQL */ `
  __typename
  generationId
  sequence
  soFar {
    ...Completion
  }
  ... on ChatDelta {
    fromSequence
    choices {
      index
      role
      content
      reasoningContent
      refusal
      toolCalls {
        index
        id
        name
        arguments
      }
      functionCall {
        name
        arguments
      }
      finishReason
    }
  }
  ... on ChatCompleted {
    ended: generation {
      ...Whole
    }
  }
  ... on ChatCanceled {
    ended: generation {
      ...Whole
    }
  }
  ... on ChatFailed {
    error {
      ...Failure
    }
    generation {
      ...Whole
    }
  }
`;

export const chatQuery = `
  subscription StreamChat($input: ChatInput!, $idempotencyKey: ID) {
    streamChat(input: $input, idempotencyKey: $idempotencyKey, minIntervalMs: 0) { ${event} }
  }
  ${fragments}`;

export const chatEventsQuery = `
  subscription ChatEvents($id: ID!, $after: Int, $minIntervalMs: Int = 0) {
    chatEvents(id: $id, after: $after, minIntervalMs: $minIntervalMs) { ${event} }
  }
  ${fragments}`;

const createQuery = (field: 'startChat' | 'createChatCompletion') => `
  mutation Create($input: ChatInput!, $idempotencyKey: ID) {
    ${field}(input: $input, idempotencyKey: $idempotencyKey) { __typename ...Whole ...Failure }
  }
  ${fragments}`;

export const startChatQuery = createQuery('startChat');
export const createChatCompletionQuery = createQuery('createChatCompletion');

const cancelQuery = `
  mutation Cancel($by: GenerationSelector!) {
    cancelGeneration(by: $by) { __typename ...Whole ...Failure }
  }
  ${fragments}`;

const generationQuery = `
  query Generation($id: ID!) {
    generation(by: { id: $id }) { ...Whole }
  }
  ${wholeFragments}`;

export interface CreateVariables {
  readonly input: ChatInput;
  readonly idempotencyKey?: string | null;
}

/** Chat input with a seed, so that the sandbox's reply is deterministic. */
export function ask(text: string, input: Partial<ChatInput> = {}): ChatInput {
  return { model: 'gpt-4o', seed: 7, messages: [{ role: 'USER', content: { text } }], ...input };
}

/** Subscribes to `streamChat` on a stock client. */
export function streamChat(
  client: WsClient | SseClient,
  variables: CreateVariables,
): AsyncIterableIterator<ChatEvent, undefined> {
  return eventsOf(client, chatQuery, { ...variables });
}

/** Subscribes to `chatEvents` on a stock client. */
export function chatEvents(
  client: WsClient | SseClient,
  variables: { readonly id: string; readonly after?: number; readonly minIntervalMs?: number },
): AsyncIterableIterator<ChatEvent, undefined> {
  return eventsOf(client, chatEventsQuery, { ...variables });
}

/** Unwraps the event of each result. `return()` unsubscribes even while `next()` is pending. */
function eventsOf(
  client: WsClient | SseClient,
  query: string,
  variables: Record<string, unknown>,
): AsyncIterableIterator<ChatEvent, undefined> {
  const results = client.iterate<Record<string, ChatEvent>>({ query, variables });
  const iterator: AsyncIterableIterator<ChatEvent, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      const { done, value } = await results.next();
      if (done) return { done: true, value: undefined };
      const [first] = Object.values(value.data ?? {});
      if (value.errors || !first) throw new Error(JSON.stringify(value));
      return { done: false, value: first };
    },
    async return() {
      await results.return?.();
      return { done: true, value: undefined };
    },
  };
  return iterator;
}

export async function nextEvent(events: AsyncIterator<ChatEvent, undefined>): Promise<ChatEvent> {
  const { value } = await events.next();
  if (!value) throw new Error('the stream ended');
  return value;
}

export async function toEnd(events: AsyncIterable<ChatEvent>): Promise<readonly ChatEvent[]> {
  const all: ChatEvent[] = [];
  for await (const each of events) all.push(each);
  return all;
}

type Headers = Readonly<Record<string, string>>;

async function runOne<Result>(
  app: Api,
  { query, variables, headers }: { query: string; variables: object; headers: Headers | undefined },
): Promise<Result> {
  const result = await app.run<Record<string, Result>, object>(query, variables, headers && { headers });
  const [first] = Object.values(result.data ?? {});
  if (result.errors || first === undefined) throw new Error(JSON.stringify(result));
  return first;
}

export type Created = GenerationView | Failure;

export function startChat(app: Api, variables: CreateVariables, headers?: Headers): Promise<Created> {
  return runOne(app, { query: startChatQuery, variables, headers });
}

export function createChatCompletion(
  app: Api,
  variables: CreateVariables,
  headers?: Headers,
): Promise<Created> {
  return runOne(app, { query: createChatCompletionQuery, variables, headers });
}

export type Selector = { readonly id: string } | { readonly idempotencyKey: string };

export function cancelGeneration(app: Api, by: Selector, headers?: Headers): Promise<Created> {
  return runOne(app, { query: cancelQuery, variables: { by }, headers });
}

export function findGeneration(app: Api, id: string, headers?: Headers): Promise<GenerationView | null> {
  return runOne(app, { query: generationQuery, variables: { id }, headers });
}

/** The generation of a create. @throws when the create failed */
export function made(created: Created): GenerationView {
  if ('id' in created) return created;
  throw new Error(JSON.stringify(created));
}

/** The error of a failed create. @throws when the create succeeded */
export function refused(created: Created): Failure {
  if ('code' in created) return created;
  throw new Error(JSON.stringify(created));
}

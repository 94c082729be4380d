import type { Api, Caller } from './app.ts';
import type { startScripted } from './scripted-gateway.ts';

/** The result of a create, or a top-level error. */
export interface Made {
  readonly __typename?: string;
  readonly id?: string;
  readonly status?: string;
  readonly collection?: string | null;
  readonly canContinue?: boolean;
  readonly notContinuableReason?: string | null;
  readonly code?: string;
  readonly message?: string;
  readonly retry?: string;
  readonly reason?: string;
  readonly generation?: { readonly id: string } | null;
  readonly issues?: readonly { readonly path: readonly string[]; readonly message: string }[];
}

export interface CreateOptions extends Caller {
  readonly field?: 'createChatCompletion' | 'startChat';
  readonly idempotencyKey?: string;
  readonly collection?: string;
}

/** Sends a chat. The members of `input` override a short question. */
export async function sendChat(
  api: Api,
  input: object = {},
  { field = 'createChatCompletion', idempotencyKey, collection, ...caller }: CreateOptions = {},
): Promise<Made> {
  const { data, errors } = await api.run<{ made: Made }, object>(
    `mutation ($input: ChatInput!, $key: ID, $collection: ID) {
      made: ${field}(input: $input, idempotencyKey: $key, collection: $collection) {
        __typename
        ... on Generation { id status collection canContinue notContinuableReason }
        ... on GengraphError { code message retry generation { id } }
        ... on InvalidInputError { issues { path message } }
        ... on NotContinuableError { reason }
      }
    }`,
    {
      input: { model: 'm', messages: [userMessage('Hello')], ...input },
      key: idempotencyKey,
      collection,
    },
    caller.headers ? caller : undefined,
  );
  if (!data?.made) throw new Error(JSON.stringify(errors));
  return data.made;
}

/** Sends a chat that must be accepted. Returns its id. */
export async function chatId(api: Api, input: object = {}, options: CreateOptions = {}): Promise<string> {
  const { id, ...made } = await sendChat(api, input, options);
  if (id === undefined) throw new Error(JSON.stringify(made));
  return id;
}

/** A chat that has ended, and a turn of it that runs. */
export async function startTurn({
  app,
  gateway,
}: Pick<Awaited<ReturnType<typeof startScripted>>, 'app' | 'gateway'>): Promise<{
  readonly first: string;
  readonly running: string;
}> {
  const creating = chatId(app);
  (await gateway.exchange(0)).reply(200, {
    choices: [{ index: 0, message: { content: 'a' }, finish_reason: 'stop' }],
  });
  const first = await creating;
  const continuing = chatId(app, { continueFrom: first }, { field: 'startChat' });
  (await gateway.exchange(1)).accept();
  return { first, running: await continuing };
}

export function userMessage(text: string): object {
  return { role: 'USER', content: { text } };
}

/** What a generation shows of its conversation. */
export interface Conversation {
  readonly id: string;
  readonly collection: string | null;
  readonly canContinue: boolean;
  readonly notContinuableReason: string | null;
  readonly input: { readonly messages: readonly object[] } | null;
  readonly parent: { readonly id: string } | null;
  readonly thread: readonly { readonly id: string }[];
  readonly continuations: {
    readonly totalCount: number | null;
    readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

export async function readConversation(
  api: Api,
  id: string,
  { first = 20, after, ...caller }: { readonly first?: number; readonly after?: string } & Caller = {},
): Promise<Conversation | null> {
  const { data, errors } = await api.run<{ generation: Conversation | null }, object>(
    `query ($id: ID!, $first: Int!, $after: String) {
      generation(by: { id: $id }) {
        id collection canContinue notContinuableReason input
        parent { id }
        thread { id }
        continuations(first: $first, after: $after) {
          totalCount edges { cursor node { id } } pageInfo { hasNextPage endCursor }
        }
      }
    }`,
    { id, first, after },
    caller.headers ? caller : undefined,
  );
  if (!data || errors) throw new Error(JSON.stringify(errors));
  return data.generation;
}

import type { ChatInput } from '@gengraph/client';
import { ConversationDocument } from '@gengraph/client/documents';
import { createId } from '../create-id.ts';
import { gengraph, run } from '../gengraph.ts';

/** A message of the user and the reply to it. A reply is one generation. */
export interface Turn {
  /** Names the request: the same turn is sent and paid for once, also after a reload. */
  readonly key: string;
  /** The turn before it. Turns with the same one are branches. */
  readonly parent: string | null;
  readonly prompt: string;
  readonly images: readonly string[];
  /** Of a turn of this page. A recorded turn has an id instead. */
  readonly input?: ChatInput;
  readonly id?: string;
  /** Turns of one prompt that stand side by side. */
  readonly group?: string;
  /** Nothing was made, so there is nothing to go on with. */
  readonly isRefused?: boolean;
}

export interface Conversation {
  readonly collection: string;
  readonly turns: readonly Turn[];
  /** The last turn that is shown. Null before the first one. */
  readonly head: string | null;
}

const prefix = 'playground-';

export function startConversation(): Conversation {
  return { collection: prefix + createId(), turns: [], head: null };
}

/** The turns from the first one to the head. */
export function pathOf({ turns, head }: Conversation): readonly Turn[] {
  const path: Turn[] = [];
  const byKey = new Map(turns.map((turn) => [turn.key, turn]));
  for (let at = byKey.get(head ?? ''); at; at = byKey.get(at.parent ?? '')) path.unshift(at);
  return path;
}

/** All branches at the place of a turn, itself included, oldest first. */
export function branchesOf({ turns }: Conversation, turn: Turn): readonly Turn[] {
  return turns.filter(({ parent }) => parent === turn.parent);
}

/** The newest turn below a turn, so that a branch is shown to its end. */
export function lastBelow({ turns }: Conversation, key: string): string {
  const next = turns.findLast(({ parent }) => parent === key);
  return next ? lastBelow({ turns, head: null, collection: '' }, next.key) : key;
}

/** A chat as its server has recorded it. */
export interface SentChat {
  readonly id: string;
  readonly prompt: string | null;
  readonly parent: { readonly id: string } | null;
}

const chatsText = `query ChatsOf($collection: ID!) {
  generations(first: 100, filter: { collection: $collection, kinds: [CHAT] }) {
    edges { node { id prompt parent { id } } }
  }
}`;

/** All chats of a conversation, branches included, oldest first. */
export async function findChats(collection: string): Promise<readonly SentChat[]> {
  const { value } = await gengraph.run<{ readonly edges: readonly { readonly node: SentChat }[] }>({
    query: chatsText,
    variables: { collection },
  });
  return value?.edges.map(({ node }) => node).toReversed() ?? [];
}

/** Reads the thread of a recorded chat, with its branches. */
export async function loadConversation(id: string): Promise<Conversation | string> {
  const { problem, value } = await run(ConversationDocument, { by: { id } });
  if (problem) return problem.message;
  if (!value) return 'This conversation does not exist, or it was forgotten.';
  const thread = value.thread.map(({ id: key, output }, index): SentChat => {
    const messages = output && 'messages' in output ? output.messages : [];
    const prompt = messages.findLast(({ role }) => role === 'USER')?.content ?? null;
    const before = value.thread[index - 1];
    return { id: key, prompt, parent: before ? { id: before.id } : null };
  });
  const collection = value.collection ?? startConversation().collection;
  const others = collection.startsWith(prefix)
    ? await findChats(collection)
    : value.continuations.edges.map(({ node }) => ({ ...node, parent: { id } }));
  const chats = [...thread.filter((chat) => !others.some((other) => other.id === chat.id)), ...others];
  const turns = chats.map(({ id: key, prompt, parent }): Turn => {
    return { key, id: key, prompt: prompt ?? '', images: [], parent: parent?.id ?? null };
  });
  return { collection, turns, head: id };
}

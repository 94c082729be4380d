import type { ChatInput } from '@gengraph/client';
import { ConversationDocument, type ConversationQuery } from '@gengraph/client/documents';
import { createId } from '../create-id.ts';
import { gengraph } from '../gengraph.ts';
import { queryOf } from '../show-me/query-of.ts';

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
}

export interface Conversation {
  readonly collection: string;
  readonly turns: readonly Turn[];
  /** The last turn that is shown. Null before the first one. */
  readonly head: string | null;
}

export function startConversation(): Conversation {
  return { collection: `playground-${createId()}`, turns: [], head: null };
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

/** Reads the thread of a recorded chat, with its branches. */
export async function loadConversation(id: string): Promise<Conversation | string> {
  const { problem, value } = await gengraph.run<ConversationQuery['generation']>({
    query: queryOf(ConversationDocument),
    variables: { by: { id } },
  });
  if (problem) return problem.message;
  if (!value) return 'This conversation does not exist, or it was forgotten.';
  const path = value.thread.map(({ id: key, output }, index): Turn => {
    const messages = output && 'messages' in output ? output.messages : [];
    const prompt = messages.findLast(({ role }) => role === 'USER')?.content ?? '';
    return { key, id: key, prompt, images: [], parent: value.thread[index - 1]?.id ?? null };
  });
  const after = value.continuations.edges.map(({ node }): Turn => ({
    key: node.id,
    id: node.id,
    prompt: node.prompt ?? '',
    images: [],
    parent: id,
  }));
  return { collection: value.collection ?? `playground-${createId()}`, turns: [...path, ...after], head: id };
}

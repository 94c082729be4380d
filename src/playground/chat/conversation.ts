import type { ChatInput, GengraphProblem, Outcome } from '@gengraph/client';
import { createId } from '../create-id.ts';
import { readOwner, readStored, run, storage } from '../gengraph.ts';
import * as operations from '../operations.generated.ts';

/** A message of the user and the reply to it. A reply is one generation. */
export interface Turn {
  /** Names the request: the same turn is sent and paid for once, also after a reload. */
  readonly key: string;
  /** The turn before it. Turns with the same one are branches. */
  readonly parent: string | null;
  readonly prompt: string;
  readonly model: string;
  readonly images: readonly string[];
  readonly system?: string | null | undefined;
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

/** A message as its writer sends it. */
export interface Draft extends Pick<Turn, 'images' | 'system'> {
  readonly text: string;
  /** One reply each, side by side. */
  readonly models: readonly string[];
  readonly parameters?: object;
}

export const defaultModel = 'gpt-4o';
/** Of the collections of conversations. */
export const prefix = 'playground-';

export function startConversation(): Conversation {
  return { collection: prefix + createId(), turns: [], head: null };
}

/** The input of one of the replies to a message. @param continueFrom the reply before it */
export function toInput(draft: Draft, model: string, continueFrom: string | undefined): ChatInput {
  const { text, images, system, parameters } = draft;
  const parts = [{ text }, ...images.map((url) => ({ imageUrl: { url } }))];
  return {
    ...parameters,
    model,
    messages: [
      ...(system ? [{ role: 'SYSTEM' as const, content: { text: system } }] : []),
      { role: 'USER', content: images.length === 0 ? { text } : { parts } },
    ],
    // A reply that was stopped is continued, too.
    ...(continueFrom !== undefined && { continueFrom, continuePartial: true }),
  };
}

/** A reload sends it again, unless another user signs in. */
const pendingName = () => `playground:pending:${readOwner()}`;

/** Keeps a conversation whose last requests have no id yet, so that a reload before the first token goes on with them. */
export function keepPending(conversation: Conversation): void {
  const isPending = conversation.turns.some(({ id, isRefused }) => id === undefined && !isRefused);
  if (isPending) storage.setItem(pendingName(), JSON.stringify(conversation));
  else storage.removeItem(pendingName());
}

/** Undefined if there is none, and if what is there was not written by this version of the page. */
export function restorePending(): Conversation | undefined {
  const kept = readStored(pendingName()) as Conversation | null | undefined; // Checked here.
  const isTurn = (turn: Partial<Turn> | null): boolean =>
    [turn?.key, turn?.prompt, turn?.model].every((part) => typeof part === 'string') &&
    Array.isArray(turn?.images);
  return Array.isArray(kept?.turns) && kept.turns.every(isTurn) ? kept : undefined;
}

/** Of the number of cuts during a reply. */
export const cutsName = (key: string): string => `playground:cuts:${key}`;
/** Of what made a reply, kept so that another one has the same parameters after a reload. */
export const inputName = (id: string): string => `playground:input:${id}`;

/** The turns from the first one to the head. */
export function pathOf({ turns, head }: Conversation): readonly Turn[] {
  const path: Turn[] = [];
  const byKey = new Map(turns.map((turn) => [turn.key, turn]));
  for (let at = byKey.get(head ?? ''); at; at = byKey.get(at.parent ?? '')) path.unshift(at);
  return path;
}

/** The turns that stand side by side with a turn, itself first. */
export function besidesOf({ turns }: Conversation, turn: Turn): readonly Turn[] {
  return [turn, ...turns.filter(({ key, group }) => key !== turn.key && group && group === turn.group)];
}

/** The newest turn below a turn, so that a branch is shown to its end. */
export function lastBelow(turns: readonly Turn[], key: string): string {
  const next = turns.findLast(({ parent }) => parent === key);
  return next ? lastBelow(turns, next.key) : key;
}

/** All chats of a conversation, branches included, oldest first. */
export async function findChats(collection: string): Promise<readonly operations.ChatFragment[]> {
  const { value } = await run(operations.ChatsDocument, { collection });
  return value?.edges.map(({ node }) => node).toReversed() ?? [];
}

const unknown: GengraphProblem = {
  code: 'NOT_FOUND',
  message: 'This conversation does not exist, or it was deleted.',
  retry: 'NEVER',
  retryAfterSeconds: null,
};

/** Reads the conversation of a recorded chat. */
export async function loadConversation(id: string): Promise<Outcome<Conversation>> {
  const { problem, value } = await run(operations.ThreadDocument, { id });
  if (!value) return { problem: problem ?? unknown };
  const collection = value.collection ?? startConversation().collection;
  const chats = await findChats(collection);
  // Other programs put several conversations into one collection.
  const isOwn = ({ firstTurn }: operations.ChatFragment) => firstTurn?.id === value.thread[0]?.id;
  const found = collection.startsWith(prefix) ? chats : chats.filter(isOwn);
  // Turns that are not found are older, or have no collection.
  const others = value.thread.filter((turn) => !found.some((chat) => chat.id === turn.id));
  return { value: { collection, turns: [...others, ...found].map(toTurn), head: id } };
}

/** The last of these turns whose reply another one can continue. Undefined if there is none. */
export async function findContinuable(turns: readonly Turn[]): Promise<Outcome<Turn | undefined>> {
  for (const turn of turns.toReversed()) {
    if (turn.id === undefined) continue;
    const { problem, value } = await run(operations.ContinuableDocument, { id: turn.id });
    if (problem) return { problem };
    // A reply that was stopped is continued, too.
    if (value && [null, 'PARTIAL_REPLY'].includes(value.notContinuableReason)) return { value: turn };
  }
  return { value: undefined };
}

/** Whether a turn was refused because of those before it: one of them was deleted, or they have become too large. */
export function isCutOff({ code, issues, retry }: GengraphProblem): boolean {
  const isNamed = issues?.some(({ path }) => path.includes('continueFrom')) ?? false;
  return isNamed || (code === 'NOT_CONTINUABLE' && retry === 'FIX_INPUT');
}

function toTurn({ id, model, prompt, parent, output }: operations.ChatFragment): Turn {
  const messages = output && 'messages' in output ? output.messages : [];
  const images = messages
    .flatMap(({ parts }) => parts ?? [])
    // One that was sent inline is recorded by its size only, which the server refuses to send.
    .flatMap((part) => ('url' in part ? [part.url] : []));
  const system = messages.find(({ role }) => role === 'SYSTEM')?.content;
  const said = { prompt: prompt ?? '', model: model ?? '', images, system };
  return { key: id, id, parent: parent?.id ?? null, ...said };
}

import type { ChatStream } from '@gengraph/client/react';
import { useEffect, useState } from 'react';
import { createId } from '../create-id.ts';
import { readStored, storage } from '../gengraph.ts';
import { go } from '../router.tsx';
import { useAttempts, useLatest } from '../use-read.ts';
import * as conversations from './conversation.ts';

/** A part of a conversation that belongs to one of its turns. */
export type InChat = { readonly chat: ReturnType<typeof useConversation>; readonly turn: conversations.Turn };

type Replies = Readonly<Record<string, ChatStream>>;

/** The conversation of a recorded chat, or a new one, and what a visitor can do with it. */
export function useConversation(id: string | undefined) {
  const [conversation, setConversation] = useState(
    () => conversations.restorePending() ?? conversations.startConversation(),
  );
  const [replies, setReplies] = useState<Replies>({});
  useEffect(() => conversations.keepPending(conversation), [conversation]);
  const { turns } = conversation;
  const path = conversations.pathOf(conversation);
  // The address of the view alone begins another chat.
  const isAsked = turns.every((turn) => turn.id !== undefined || turn.isRefused);
  const isLeft = id === undefined && isAsked && path.some((turn) => turn.id !== undefined);
  if (isLeft) setConversation(conversations.startConversation());
  const known = turns.find((turn) => turn.id === id);
  const isKnown = id === undefined || known !== undefined;
  const [address, setAddress] = useState(id);
  if (id !== address) {
    setAddress(id);
    if (known) setConversation({ ...conversation, head: known.key });
  }
  const [attempts, retry] = useAttempts();
  const loaded = useLatest(
    async () => (isKnown ? undefined : conversations.loadConversation(id)),
    [id, isKnown, attempts],
  );
  if (!isKnown && loaded?.value?.head === id) setConversation(loaded.value);

  const last = path.at(-1);
  /** The last turn, and those beside it. */
  const latest = last ? conversations.besidesOf(conversation, last) : [];
  const add = (added: readonly conversations.Turn[]): void =>
    setConversation((old) => ({ ...old, turns: [...old.turns, ...added], head: added[0]?.key ?? old.head }));
  return {
    conversation,
    path,
    problem: loaded?.problem, // Why it cannot be read.
    retry,
    isKnown,
    /** To the last turn, when it began and when it has ended. */
    reply: last && replies[last.key],
    isRunning: !latest.every(({ key }) => replies[key]?.isEnded),
    stop(): void {
      for (const { key } of latest) {
        const reply = replies[key];
        void reply?.stop().then(({ error }) => {
          setReplies((old) => ({ ...old, [key]: { ...reply, ...old[key], error } }));
        });
      }
    },
    /** Why a reply that runs could not be stopped. */
    refusal: latest.map(({ key }) => replies[key]).find((reply) => reply?.error && !reply.isEnded)?.error,
    /** Takes what a reply says about its turn. */
    learn(turn: conversations.Turn, reply: ChatStream): void {
      setReplies((old) => ({ ...old, [turn.key]: reply }));
      // With SAME_KEY, the outcome is not known: a reload asks again.
      const isRefused = reply.id === null && reply.error !== null && reply.error.retry !== 'SAME_KEY';
      if (turn.id !== undefined || (reply.id === null && !isRefused)) return;
      if (reply.id !== null) {
        const cuts = storage.getItem(conversations.cutsName(turn.key)) ?? '0';
        storage.setItem(conversations.cutsName(reply.id), cuts);
        storage.setItem(conversations.inputName(reply.id), JSON.stringify(turn.input));
      }
      const learned = { ...turn, isRefused, ...(reply.id !== null && { id: reply.id }) };
      const learn = (each: conversations.Turn) => (each.key === turn.key ? learned : each);
      setConversation((old) => ({ ...old, turns: old.turns.map(learn) }));
      // The address is now that of the reply: a reload goes on with it.
      if (reply.id !== null && turn.key === conversation.head) go(`chat/${reply.id}`, 'replace');
    },
    send(draft: conversations.Draft): void {
      const { text: prompt, images, models } = draft;
      const shared = { parent: last?.key ?? null, prompt, images, group: createId() };
      const inputFor = (model: string) => conversations.toInput(draft, model, findReply(path, replies));
      add(models.map((model) => ({ ...shared, key: createId(), model, input: inputFor(model) })));
    },
    regenerate({ key, parent, prompt, images, system, model, input }: conversations.Turn): void {
      const before = path.slice(0, path.findIndex((turn) => turn.key === parent) + 1);
      const draft = { text: prompt, images, models: [], system };
      const stored = readStored(conversations.inputName(key)) as typeof input | null; // Written above.
      const again = input ?? stored ?? conversations.toInput(draft, model, findReply(before, replies));
      add([{ key: createId(), parent, prompt, images, model, input: again }]);
    },
    /** Sends a turn that was refused because of those before it after the last one that can be continued, or as the first one. */
    async goOn({ parent, prompt, images, model, input }: conversations.Turn) {
      const before = path.slice(0, path.findIndex(({ key }) => key === parent) + 1);
      const { problem, value: last } = await conversations.findContinuable(before);
      if (problem || !input) return problem;
      const { continueFrom: _from, continuePartial: _partial, ...others } = input;
      const continued = last?.id === undefined ? {} : { continueFrom: last.id, continuePartial: true };
      const again = { key: createId(), parent: last?.key ?? null, prompt, images, model };
      add([{ ...again, input: { ...others, ...continued } }]);
      return undefined;
    },
    /** Shows the branch of a turn to its end. */
    show(turn: conversations.Turn): void {
      const head = conversations.lastBelow(turns, turn.key);
      setConversation((old) => ({ ...old, head }));
      const shown = turns.find(({ key }) => key === head)?.id;
      if (shown !== undefined) go(`chat/${shown}`, 'replace');
    },
  };
}

/** The last reply of the turns that another one can continue. One that failed, or was stopped without a word, is passed over. */
function findReply(before: readonly conversations.Turn[], replies: Replies): string | undefined {
  return before.findLast(({ id, key }) => {
    const { status, text, reasoning, refusal, assets } = replies[key] ?? {};
    const isEmpty = status === 'canceled' && !text && !reasoning && !refusal && !assets?.length;
    return id !== undefined && status !== 'failed' && !isEmpty;
  })?.id;
}

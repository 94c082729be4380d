import type { ChatInput, ChatView } from '@gengraph/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { createId } from '../create-id.ts';
import { go, toHref } from '../router.ts';
import { ShowMe } from '../show-me/show-me.tsx';
import { Composer, type Draft } from './composer.tsx';
import {
  branchesOf,
  type Conversation,
  lastBelow,
  loadConversation,
  pathOf,
  startConversation,
  type Turn,
} from './conversation.ts';
import { forgetPending, keepPending, restorePending } from './pending.ts';
import { Plug } from './plug.tsx';
import { TurnView } from './turn-view.tsx';
import { writeChat } from './write-chat.ts';

/** Chats with a recorded conversation, or with a new one. */
export function ChatPage({ id }: { readonly id: string | undefined }) {
  const [conversation, setConversation] = useState<Conversation>(
    () => restorePending() ?? startConversation(),
  );
  const [problem, setProblem] = useState<string | null>(null);
  // The address of the view alone begins another chat.
  const isLeft =
    id === undefined &&
    conversation.turns.length > 0 &&
    conversation.turns.every((turn) => turn.id !== undefined);
  useEffect(() => {
    if (isLeft) setConversation(startConversation());
  }, [isLeft]);
  const isKnown = id === undefined || conversation.turns.some((turn) => turn.id === id);
  useEffect(() => {
    if (isKnown || id === undefined) return undefined;
    let isGone = false;
    void loadConversation(id).then((loaded) => {
      if (isGone) return;
      if (typeof loaded === 'string') setProblem(loaded);
      else setConversation(loaded);
    });
    return () => {
      isGone = true;
    };
  }, [id, isKnown]);
  if (problem !== null) return <p className="notice">{problem}</p>;
  if (!isKnown) return <p role="status">Reading the conversation…</p>;
  return <ConversationView conversation={conversation} setConversation={setConversation} />;
}

interface ConversationViewProps {
  readonly conversation: Conversation;
  readonly setConversation: (change: (conversation: Conversation) => Conversation) => void;
}

function ConversationView({ conversation, setConversation }: ConversationViewProps) {
  const views = useRef(new Map<string, ChatView>());
  const [, setEnds] = useState(0);
  const path = pathOf(conversation);
  const last = path.at(-1);
  const lastView = last && views.current.get(last.key);
  const rememberView = useCallback(
    (turn: Turn, view: ChatView) => {
      const known = views.current.get(turn.key);
      views.current.set(turn.key, view);
      if (known?.isEnded !== view.isEnded || known?.id !== view.id) setEnds((count) => count + 1);
      if (view.id === null || turn.id !== undefined || known?.id === view.id) return;
      const { id } = view;
      forgetPending(turn.key);
      // The address is now that of the reply: a reload goes on with it.
      setConversation((old) => ({
        ...old,
        turns: old.turns.map((each) => (each.key === turn.key ? { ...each, id } : each)),
      }));
      go(toHref('chat', id), 'replace');
    },
    [setConversation],
  );
  const add = (turns: readonly Turn[]): void =>
    setConversation((old) => {
      const next = { ...old, turns: [...old.turns, ...turns], head: turns.at(0)?.key ?? old.head };
      keepPending(next, turns);
      return next;
    });
  const send = ({ models, ...draft }: Draft): void => {
    const group = createId();
    const parent = last?.key ?? null;
    add(
      models.map((model) => ({
        ...toTurn({ ...draft, model }, parent, last && views.current.get(last.key)?.id),
        group,
      })),
    );
  };
  const regenerate = (turn: Turn): void => {
    const input = turn.input ?? inputOf(turn, path, views.current);
    add([{ key: createId(), parent: turn.parent, prompt: turn.prompt, images: turn.images, input }]);
  };
  const show = (turn: Turn): void => {
    const head = lastBelow(conversation, turn.key);
    setConversation((old) => ({ ...old, head }));
    const id = conversation.turns.find(({ key }) => key === head)?.id;
    if (id !== undefined) go(toHref('chat', id), 'replace');
  };
  const column = (turn: Turn) => (
    <TurnView
      key={turn.key}
      turn={turn}
      collection={conversation.collection}
      onChange={rememberView}
      onRegenerate={regenerate}
    >
      <Branches turn={turn} branches={branchesOf(conversation, turn)} onShow={show} />
    </TurnView>
  );
  return (
    <section className="chat" aria-label="Chat">
      {path.length === 0 && (
        <Welcome onStart={(text) => send({ text, images: [], models: ['gpt-4o'], parameters: {} })} />
      )}
      {path.map((turn) => {
        const beside = conversation.turns.filter(
          ({ group, key }) => group !== undefined && group === turn.group && key !== turn.key,
        );
        return beside.length === 0 ? (
          column(turn)
        ) : (
          <div className="side-by-side" key={turn.key}>
            {[turn, ...beside].map(column)}
          </div>
        );
      })}
      {last && <Plug conversation={conversation} turn={last} view={lastView} />}
      <Composer canSend={!last || lastView?.isEnded === true} onSend={send} />
      {last && <ShowMe sample={writeChat(last, conversation.collection)} result={lastView} />}
    </section>
  );
}

function Welcome({ onStart }: { readonly onStart: (text: string) => void }) {
  return (
    <div className="welcome">
      <h2>A chat that survives its connection</h2>
      <p>
        Start it, then pull the plug in mid-reply: the text goes on without a gap, and it is paid for once.
      </p>
      <button
        type="button"
        className="primary"
        onClick={() => onStart('Tell me a long story about a lighthouse, with a table and a list in it.')}
      >
        Tell me a story
      </button>
    </div>
  );
}

interface BranchesProps {
  readonly turn: Turn;
  readonly branches: readonly Turn[];
  readonly onShow: (turn: Turn) => void;
}

function Branches({ turn, branches, onShow }: BranchesProps) {
  const at = branches.findIndex(({ key }) => key === turn.key);
  const step = (label: string, to: Turn | undefined) => (
    <button type="button" aria-label={label} disabled={!to} onClick={() => to && onShow(to)}>
      {label === 'Previous branch' ? '‹' : '›'}
    </button>
  );
  return branches.length > 1 ? (
    <span className="branches">
      {step('Previous branch', branches[at - 1])}
      {at + 1} of {branches.length}
      {step('Next branch', branches[at + 1])}
    </span>
  ) : null;
}

type Message = ChatInput['messages'][number];

function toTurn(
  { text, images, model, parameters, system }: Omit<Draft, 'models'> & { readonly model: string },
  parent: string | null,
  continueFrom: string | null | undefined,
): Turn {
  const content =
    images.length === 0 ? { text } : { parts: [{ text }, ...images.map((url) => ({ imageUrl: { url } }))] };
  const messages: readonly Message[] = [
    ...(system ? [{ role: 'SYSTEM' as const, content: { text: system } }] : []),
    { role: 'USER', content },
  ];
  const input: ChatInput = {
    ...parameters,
    model,
    messages,
    ...(continueFrom != null && { continueFrom, continuePartial: true }),
  };
  return { key: createId(), parent, prompt: text, images, input };
}

/** The request of a recorded turn, to ask it again. */
function inputOf(turn: Turn, path: readonly Turn[], views: ReadonlyMap<string, ChatView>): ChatInput {
  const before = path[path.indexOf(turn) - 1];
  const continueFrom = before && (views.get(before.key)?.id ?? before.id);
  return {
    model: 'gpt-4o',
    messages: [{ role: 'USER', content: { text: turn.prompt } }],
    ...(continueFrom !== undefined && { continueFrom, continuePartial: true }),
  };
}

import type { ChatInput, ChatView } from '@gengraph/client';
import { GenerationDocument } from '@gengraph/client/documents';
import { useEffect, useRef, useState } from 'react';
import { createId } from '../create-id.ts';
import { run } from '../gengraph.ts';
import { go, toHref } from '../router.ts';
import { ShowMe } from '../show-me/show-me.tsx';
import { Branches } from './branches.tsx';
import { Composer, defaultModel, type Draft } from './composer.tsx';
import { type Conversation, lastBelow, loadConversation, pathOf } from './conversation.ts';
import { startConversation, type Turn } from './conversation.ts';
import { keepPending, restorePending } from './pending.ts';
import { Plug } from './plug.tsx';
import { TurnView } from './turn-view.tsx';
import { writeChat } from './write-chat.ts';

/** Chats with a recorded conversation, or with a new one. */
export function ChatPage({ id }: { readonly id: string | undefined }) {
  const [conversation, setConversation] = useState<Conversation>(
    () => restorePending() ?? startConversation(),
  );
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => keepPending(conversation), [conversation]);
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
  useEffect(() => {
    if (last) document.getElementById(last.key)?.scrollIntoView();
  }, [last?.key]);
  const rememberView = (turn: Turn, view: ChatView): void => {
    const known = views.current.get(turn.key);
    views.current.set(turn.key, view);
    if (known?.isEnded !== view.isEnded || known.id !== view.id) setEnds((count) => count + 1);
    if (turn.id !== undefined) return;
    const change = (changes: Partial<Turn>): void =>
      setConversation((old) => ({
        ...old,
        turns: old.turns.map((each) => (each.key === turn.key ? { ...each, ...changes } : each)),
      }));
    // With SAME_KEY, the outcome is not known: a reload asks again.
    if (view.id === null && view.error && view.error.retry !== 'SAME_KEY' && !turn.isRefused)
      change({ isRefused: true });
    if (view.id === null || known?.id === view.id) return;
    change({ id: view.id });
    // The address is now that of the reply: a reload goes on with it.
    if (turn.key === conversation.head) go(toHref('chat', view.id), 'replace');
  };
  const add = (turns: readonly Turn[]): void =>
    setConversation((old) => ({
      ...old,
      turns: [...old.turns, ...turns],
      head: turns.at(0)?.key ?? old.head,
    }));
  const send = ({ models, ...draft }: Draft): void => {
    const group = createId();
    const continueFrom = findReply(path, views.current);
    const parent = last?.key ?? null;
    add(models.map((model) => ({ ...toTurn({ ...draft, model, continueFrom }), parent, group })));
  };
  const regenerate = async (turn: Turn): Promise<void> => {
    const { parent, prompt, images } = turn;
    const continueFrom = findReply(path.slice(0, path.indexOf(turn)), views.current);
    const again =
      turn.input ?? toTurn({ text: prompt, images, model: await modelOf(turn), continueFrom }).input;
    add([{ key: createId(), parent, prompt, images, input: again }]);
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
      onRegenerate={() => void regenerate(turn)}
    >
      <Branches conversation={conversation} turn={turn} onShow={show} />
    </TurnView>
  );
  return (
    <section className="chat" aria-label="Chat">
      {path.length === 0 && (
        <Welcome onStart={(text) => send({ text, images: [], models: [defaultModel], parameters: {} })} />
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
      {last && <ShowMe sample={writeChat(last, conversation.collection)} result={lastView} />}
      <div className="dock">
        {last && <Plug conversation={conversation} turn={last} view={lastView} />}
        <Composer canSend={!last || lastView?.isEnded === true} onSend={send} />
      </div>
    </section>
  );
}

function Welcome({ onStart }: { readonly onStart: (text: string) => void }) {
  return (
    <div className="welcome">
      <h1>A chat that survives its connection</h1>
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

type Message = ChatInput['messages'][number];

interface Request extends Omit<Draft, 'models' | 'parameters'> {
  readonly model: string;
  readonly parameters?: Draft['parameters'];
  readonly continueFrom: string | undefined;
}

function toTurn({ text, images, model, parameters, system, continueFrom }: Request) {
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
    // A reply that was stopped is continued, too.
    ...(continueFrom !== undefined && { continueFrom, continuePartial: true }),
  };
  return { key: createId(), prompt: text, images, input };
}

/** The last reply that can be continued. Of a refused request, or one that failed before its first token, there is none. */
function findReply(path: readonly Turn[], views: ReadonlyMap<string, ChatView>): string | undefined {
  const last = path.findLast(({ key, id, isRefused }) => {
    const view = views.get(key);
    return !isRefused && (view ? view.id !== null && view.status !== 'failed' : id !== undefined);
  });
  return last && (views.get(last.key)?.id ?? last.id);
}

/** The model of a recorded turn, which its page does not know. */
async function modelOf({ id = '' }: Turn): Promise<string> {
  const { value } = await run(GenerationDocument, { by: { id } });
  return value?.model ?? defaultModel;
}

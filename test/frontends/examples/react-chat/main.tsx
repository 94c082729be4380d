import { createGengraph, type ChatInput, isRepeatable } from '@gengraph/client';
import { GengraphProvider, useChatStream, useConnection } from '@gengraph/client/react';
import { type FormEvent, type MouseEvent, StrictMode, useCallback, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

// Questions and their keys live in one storage. In localStorage, they outlive the tab and are shared with other tabs.
const gengraph = createGengraph({ url: '/graphql', credential: 'sk-sandbox', storage: findStorage() });
// Unlike localStorage itself, it never throws: a full one must not take the page away.
const { storage } = gengraph;

interface Turn {
  /** Names the request: the same id is the same reply, whatever happens. */
  readonly id: string;
  readonly question: string;
  /** A higher number is another reply to the same question. */
  readonly attempt: number;
  /** The reply that this question continues. */
  readonly continueFrom?: string;
}

/** Where it is forbidden, even to read the global throws. */
function findStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

function loadTurns(): readonly Turn[] {
  return JSON.parse(storage.getItem('turns') ?? '[]') as readonly Turn[];
}

/** Call it when the request has its key: another tab shows what is stored, and must find that key. */
function store(turn: Turn) {
  const stored = loadTurns();
  const known = stored.find(({ id }) => id === turn.id);
  if (known && known.attempt >= turn.attempt) return;
  const next = known ? stored.map((each) => (each === known ? turn : each)) : [...stored, turn];
  storage.setItem('turns', JSON.stringify(next));
}

function Conversation() {
  const [turns, setTurns] = useState(loadTurns);
  /** Complete replies, by the id of their turn. */
  const [replies, setReplies] = useState<Readonly<Record<string, string>>>({});
  const { status } = useConnection();

  const complete = useCallback((turn: string, reply: string) => {
    setReplies((known) => ({ ...known, [turn]: reply }));
  }, []);

  useEffect(() => {
    // Another tab has saved something.
    const load = () => setTurns(loadTurns());
    addEventListener('storage', load);
    return () => removeEventListener('storage', load);
  }, []);

  function ask(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const question = new FormData(event.currentTarget).get('question');
    if (typeof question !== 'string' || question === '') return;
    event.currentTarget.reset();
    const last = turns.findLast(({ id }) => replies[id]);
    const continueFrom = last && replies[last.id];
    const turn = { id: `${Date.now()}`, question, attempt: 0, ...(continueFrom && { continueFrom }) };
    setTurns([...turns, turn]);
  }

  function askAgain({ id, attempt }: Turn) {
    setTurns(turns.map((turn) => (turn.id === id ? { ...turn, attempt: attempt + 1 } : turn)));
  }

  return (
    <>
      <h1>Chat</h1>
      {turns.map((turn) => (
        <Reply key={turn.id} turn={turn} onCompleted={complete} onAgain={() => askAgain(turn)} />
      ))}
      <form onSubmit={ask}>
        <input name="question" aria-label="Question" autoComplete="off" />
        <button>Send</button>
      </form>
      <p role="status">{status}</p>
    </>
  );
}

interface ReplyProps {
  readonly turn: Turn;
  readonly onCompleted: (turn: string, reply: string) => void;
  readonly onAgain: () => void;
}

function Reply({ turn, onCompleted, onAgain }: ReplyProps) {
  const input: ChatInput = {
    model: 'gpt-4o',
    messages: [{ role: 'USER', content: { text: turn.question } }],
    ...(turn.continueFrom && { continueFrom: turn.continueFrom }),
  };
  const reply = useChatStream(input, { id: turn.id, attempt: turn.attempt });
  const { id, status, text, reasoning, error, isEnded } = reply;

  function stop(event: MouseEvent<HTMLElement>) {
    // The button disappears.
    event.currentTarget.parentElement?.focus();
    void reply.stop();
  }

  useEffect(() => store(turn), [turn]);

  useEffect(() => {
    if (status === 'completed' && id) onCompleted(turn.id, id);
  }, [turn.id, status, id, onCompleted]);

  return (
    <article data-status={status} tabIndex={-1}>
      <h2>{turn.question}</h2>
      {reasoning && <details>{reasoning}</details>}
      <p className="text">{text}</p>
      {error && <p role="alert">{error.message}</p>}
      {!isEnded && <button onClick={stop}>Stop</button>}
      {isRepeatable(error) && <button onClick={reply.retry}>Try again</button>}
      {error?.retry === 'MAY_CHARGE_AGAIN' && <p>Another reply may be charged again.</p>}
      {isEnded && <button onClick={onAgain}>Another reply</button>}
    </article>
  );
}

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <GengraphProvider client={gengraph}>
        <Conversation />
      </GengraphProvider>
    </StrictMode>,
  );

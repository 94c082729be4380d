import { createGengraph } from '@gengraph/client';
import { GengraphProvider, useChatStream } from '@gengraph/client/react';
import { type FormEvent, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { askForCall } from './tool-input.ts';

// A reply that is a call of a tool, with its arguments as they arrive.
const gengraph = createGengraph({ url: '/graphql', credential: 'sk-sandbox' });

function Page() {
  const [question, setQuestion] = useState(() => sessionStorage.getItem('question'));
  const { toolCalls, status, stop } = useChatStream(question === null ? null : askForCall(question));
  const ask = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const asked = new FormData(event.currentTarget).get('question');
    if (typeof asked !== 'string') return;
    sessionStorage.setItem('question', asked);
    setQuestion(asked);
  };
  return (
    <>
      <form onSubmit={ask}>
        <input name="question" aria-label="Question" />
        <button>Send</button>
        <button type="button" onClick={() => void stop()}>
          Stop
        </button>
      </form>
      {question !== null && (
        <article data-status={status}>
          <p className="text">{toolCalls[0]?.arguments}</p>
        </article>
      )}
    </>
  );
}

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <GengraphProvider client={gengraph}>
        <Page />
      </GengraphProvider>
    </StrictMode>,
  );

import { createGengraph } from '@gengraph/client';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

// A chat without hooks: shows that the harness works.
const gengraph = createGengraph({ url: '/graphql', credential: 'sk-sandbox' });
const chat = gengraph.chat(
  { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'count to 60' } }] },
  { id: 'message-1' },
);

function Chat() {
  const [text, setText] = useState('');
  const [status, setStatus] = useState('starting');
  useEffect(() => {
    const leaving = new AbortController();
    void (async () => {
      for await (const view of chat) {
        if (leaving.signal.aborted) return;
        setText(view.text);
        setStatus(view.status);
      }
    })();
    return () => leaving.abort();
  }, []);
  return (
    <>
      <p role="status">{status}</p>
      <article>{text}</article>
    </>
  );
}

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <Chat />
    </StrictMode>,
  );

import { createGengraph } from '@gengraph/client';
import { GengraphProvider, useChatStream, useConnection } from '@gengraph/client/react';
import { StrictMode, useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

// A chat of somebody whose token is renewed several times. Records every fault that a user could see.
const gengraph = createGengraph({
  url: '/graphql',
  credential: async () => (await fetch('/token')).text(),
});
const faults: string[] = [];
Object.assign(globalThis, { faults });

function Chat() {
  const [isStarted, setStarted] = useState(false);
  const { text, status, error } = useChatStream(
    isStarted ? { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'count to 40' } }] } : null,
  );
  const shown = useRef('');
  const connection = useConnection().status;
  useEffect(() => {
    if (error) faults.push(error.message);
    if (!text.startsWith(shown.current)) faults.push(`${shown.current} became ${text}`);
    if (connection === 'closed') faults.push('closed');
    shown.current = text;
  });
  return (
    <article data-status={status}>
      <button onClick={() => setStarted(true)}>Start</button>
      <p className="text">{text}</p>
    </article>
  );
}

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <GengraphProvider client={gengraph}>
        <Chat />
      </GengraphProvider>
    </StrictMode>,
  );

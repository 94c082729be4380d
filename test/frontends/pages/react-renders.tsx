import { createGengraph } from '@gengraph/client';
import { GengraphProvider, useChatStream } from '@gengraph/client/react';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';

// Records when it renders, and what it had then.
const gengraph = createGengraph({ url: '/graphql', credential: 'sk-sandbox' });
const renders: { readonly at: number; readonly length: number }[] = [];
Object.assign(globalThis, { renders });

function Chat() {
  // A new object in each render is the same request.
  const { text, status } = useChatStream({
    model: 'gpt-4o',
    messages: [{ role: 'USER', content: { text: 'count to 4000' } }],
  });
  useEffect(() => {
    renders.push({ at: performance.now(), length: text.length });
  });
  return (
    <article data-status={status}>
      <p className="text">{text}</p>
    </article>
  );
}

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <GengraphProvider client={gengraph}>
      <Chat />
    </GengraphProvider>,
  );

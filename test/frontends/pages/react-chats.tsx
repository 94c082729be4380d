import { createGengraph } from '@gengraph/client';
import { GengraphProvider, useGallery } from '@gengraph/client/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

// The list of all chats.
const gengraph = createGengraph({ url: '/graphql', credential: 'sk-sandbox' });

function Chats() {
  const { items } = useGallery({ kinds: ['CHAT'] });
  return (
    <ul>
      {items.map(({ id, status }) => (
        <li key={id} data-id={id} data-status={status} />
      ))}
    </ul>
  );
}

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <GengraphProvider client={gengraph}>
        <Chats />
      </GengraphProvider>
    </StrictMode>,
  );

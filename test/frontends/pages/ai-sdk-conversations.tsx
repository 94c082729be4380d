import { createGengraph } from '@gengraph/client';
import { GengraphChatTransport } from '@gengraph/client/ai-sdk';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Conversation } from '../examples/ai-sdk-chat/conversation.tsx';

const gengraph = createGengraph({ url: '/graphql', credential: 'sk-sandbox' });
const transport = new GengraphChatTransport(gengraph, { model: 'gpt-4o' });

function App() {
  const [id, setId] = useState<string>();
  return (
    <>
      {['one', 'two', 'none'].map((name) => (
        <button key={name} onClick={() => setId(name === 'none' ? undefined : name)}>
          {name}
        </button>
      ))}
      {id !== undefined && <Conversation id={id} transport={transport} />}
    </>
  );
}

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );

import { createGengraph } from '@gengraph/client';
import { GengraphChatTransport } from '@gengraph/client/ai-sdk';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Conversation } from './conversation.tsx';
import { tools } from './tools.ts';

const gengraph = createGengraph({ url: '/graphql', credential: 'sk-sandbox' });
const transport = new GengraphChatTransport(gengraph, {
  model: 'gpt-4o',
  instructions: 'Be friendly.',
  tools,
});

// The id of the conversation, such as from the path of the page.
const id = new URLSearchParams(location.search).get('chat') ?? 'chat-1';

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <Conversation id={id} transport={transport} />
    </StrictMode>,
  );

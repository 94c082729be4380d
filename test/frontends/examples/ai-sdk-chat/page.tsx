import { Chat, useChat } from '@ai-sdk/react';
import { createGengraph } from '@gengraph/client';
import { GengraphChatTransport, type GengraphMessage } from '@gengraph/client/ai-sdk';
import { lastAssistantMessageIsCompleteWithToolCalls } from 'ai';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ChatView } from './chat-view.tsx';
import { answerTool, tools } from './tools.ts';

const gengraph = createGengraph({ url: '/graphql', credential: 'sk-sandbox' });
const transport = new GengraphChatTransport(gengraph, {
  model: 'gpt-4o',
  instructions: 'Be friendly.',
  tools,
});

// The id of the conversation, such as from the path of the page.
const id = new URLSearchParams(location.search).get('chat') ?? 'chat-1';

// Outside of components: useChat stops the replies of a chat that it made when its component unmounts.
const chat = new Chat<GengraphMessage>({
  id,
  transport,
  messages: await transport.loadMessages(id),
  sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
  onToolCall: ({ toolCall }) => void chat.addToolOutput(answerTool(toolCall)),
});

function App() {
  // `resume` shows what is still running after a reload, and in a second tab.
  return <ChatView {...useChat({ chat, resume: true })} />;
}

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
